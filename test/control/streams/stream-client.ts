/** A stream on a real HTTP server, and a client that reads it as a browser does. */
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { StreamQuery } from "../../../src/control/streams/stream-filter.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { defaultLimits, type Limits } from "../../../src/shared/limits.ts";

export interface Subscribable {
  subscribe(req: IncomingMessage, res: ServerResponse, query: StreamQuery): void;
}

export function limitsWith(changes: Partial<Limits>): Limits {
  return { ...defaultLimits, ...changes };
}

export function queryOf(search: URLSearchParams): StreamQuery {
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? "") : values;
  }
  return query;
}

export class StreamServer {
  readonly #server: Server;
  /** Responses in the order of their requests, to see when the server closes them. */
  readonly responses: ServerResponse[] = [];

  constructor(stream: Subscribable) {
    this.#server = createServer((req, res) => {
      this.responses.push(res);
      try {
        stream.subscribe(req, res, queryOf(new URL(req.url ?? "", "http://x").searchParams));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        res.writeHead(error.status, { ...error.headers, "X-Error-Code": error.code });
        res.end(JSON.stringify({ error: error.message }));
      }
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async open(search = "", headers: Record<string, string> = {}): Promise<Reader> {
    const req = get({ port: this.port, host: "127.0.0.1", path: `/${search}`, headers, agent: false });
    const [res] = (await once(req, "response")) as [IncomingMessage];
    return new Reader(res);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

export interface Received {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Reads what comes; `next` and `until` wait for it. */
export class Reader {
  readonly res: IncomingMessage;
  readonly received: Received[] = [];
  readonly comments: string[] = [];
  text = "";
  retry: number | undefined;
  ended = false;
  #taken = 0;
  #wake: (() => void) | undefined;

  constructor(res: IncomingMessage) {
    this.res = res;
    const parser = createParser({
      onEvent: ({ event = "message", id, data }: EventSourceMessage) =>
        this.received.push({ event, id, data: JSON.parse(data) }),
      onRetry: (retry) => {
        this.retry = retry;
      },
      onComment: (comment) => this.comments.push(comment),
    });
    res.setEncoding("utf8");
    res.on("data", (chunk: string) => {
      this.text += chunk;
      parser.feed(chunk);
      this.#wake?.();
    });
    res.on("error", () => {});
    res.on("close", () => {
      this.ended = true;
      this.#wake?.();
    });
  }

  /** Waits until `done` holds; fails when the stream ends before. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      if (this.ended) throw new Error(`the stream ended; received ${this.received.length} events`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async next(): Promise<Received> {
    await this.until(() => this.received.length > this.#taken);
    const received = this.received[this.#taken];
    this.#taken += 1;
    if (received === undefined) throw new Error("nothing received");
    return received;
  }

  async take(count: number): Promise<Received[]> {
    const all: Received[] = [];
    while (all.length < count) all.push(await this.next());
    return all;
  }

  async whole(): Promise<void> {
    while (!this.ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Numbers of the events, and the numbers that gaps count. */
  get seqs(): number[] {
    return this.received.flatMap(({ id }) => (id === undefined ? [] : [Number(id.split("-")[1])]));
  }

  get gaps(): { from: number; to: number; count: number; reason: string }[] {
    return this.received.flatMap(({ event, data }) =>
      event === "dropped" ? [data as { from: number; to: number; count: number; reason: string }] : [],
    );
  }

  /** Breaks the connection off. */
  drop(): void {
    this.res.destroy();
  }
}
