/** Sessions of HTTP/2 (RFC 9113), one to each server, and requests over them. */
import type { ClientHttp2Session, IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import { unlessAborted } from "../../engine/waiting.ts";
import type { RawAnswer, ReadOptions } from "./exchange-once.ts";
import { tooLong } from "./exchange-once.ts";

/** How long a session is kept that carries nothing. */
const idleMs = 4000;
/** What a server may send before its answer is read on. */
const windowBytes = 1024 * 1024;
const headBytes = 32 * 1024;
/** The most servers that are known. */
const mostServers = 1000;
/** Codes of undici, as of requests over HTTP/1.1. */
const noHead = "UND_ERR_HEADERS_TIMEOUT";
const noMore = "UND_ERR_BODY_TIMEOUT";
const silent: ReadonlySet<string> = new Set([noHead, noMore]);
/** How often a request is sent that servers refuse to begin with. */
const mostAttempts = 20;
/** Codes of RFC 9113, section 7. */
const cancel = 8;
const refusedStream = 7;

/** The server has not begun with the request. */
class Refused extends Error {}

/** Belong to a connection of HTTP/1.1 (RFC 9113 8.2.2), or to the pseudo header `:authority`. */
const left: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "host",
]);

/** A socket whose server has agreed to a protocol. */
type Negotiated = Socket & { readonly alpnProtocol?: string | false | null };

interface Open {
  readonly session: ClientHttp2Session;
  /** Lets the next request open another session. */
  readonly forget: () => void;
  /** The last stream that the server has begun with, once it has said so; before that no stream is beyond it. */
  last: number;
  requests: number;
  idle: NodeJS.Timeout | undefined;
}

export class Http2Sessions {
  /** By the servers' origins; undefined: the server speaks HTTP/1.1 alone. */
  readonly #sessions = new Map<string, Promise<Open | undefined>>();
  /** Also those that take no new requests. */
  readonly #open = new Set<Open>();

  /**
   * Returns the session with a server; undefined if it speaks HTTP/1.1 alone. `open`: opens a socket that has negotiated; one of
   * HTTP/1.1 goes to `other`. Rejects with what `open` rejects with.
   */
  async #session(
    origin: string,
    open: () => Promise<Socket>,
    other: (socket: Socket) => void,
  ): Promise<Open | undefined> {
    const known = this.#sessions.get(origin);
    if (known !== undefined) return known;
    // Messages can name servers: what is known of them is learned anew now and then.
    if (this.#sessions.size >= mostServers) this.#sessions.clear();
    const forget = (): void => {
      if (this.#sessions.get(origin) === opened) this.#sessions.delete(origin);
    };
    const opened = open().then((socket) => {
      if ((socket as Negotiated).alpnProtocol === "h2") return this.#begin(origin, socket, forget);
      // It is not asked again by this client, since that would take a connection for each request.
      other(socket);
      return undefined;
    });
    opened.catch(forget);
    this.#sessions.set(origin, opened);
    return opened;
  }

  #begin(origin: string, socket: Socket, forget: () => void): Open {
    const { connect } = process.getBuiltinModule("node:http2");
    const session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: headBytes },
    });
    const opened: Open = { session, forget, last: Number.POSITIVE_INFINITY, requests: 0, idle: undefined };
    this.#open.add(opened);
    // Requests that are under way get the error, too.
    session.on("error", forget).on("close", () => {
      clearTimeout(opened.idle);
      this.#open.delete(opened);
      forget();
    });
    session.on("connect", () => session.setLocalWindowSize(windowBytes));
    session.on("goaway", (_code, last) => {
      opened.last = last;
      forget();
    });
    return opened;
  }

  /**
   * Sends one request; resolves undefined if the server speaks HTTP/1.1 alone. One that the server has refused before it began with it is
   * sent again, over another session if this one ends (RFC 9113 6.8, 8.7). Rejects as `exchangeOnce`.
   */
  async exchange(request: Http2Request, options: Http2Options): Promise<RawAnswer | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#exchange(request, options);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (attempt === mostAttempts) throw error.cause;
      }
    }
  }

  async #exchange(
    { url, ...request }: Http2Request,
    { open, other, closes, ...how }: Http2Options,
  ): Promise<RawAnswer | undefined> {
    const opened = await unlessAborted(this.#session(url.origin, open, other), how.signal);
    if (opened === undefined) return undefined;
    clearTimeout(opened.idle);
    opened.requests += 1;
    let isOver = closes;
    try {
      return await answered(opened, { url, ...request }, how);
    } catch (error) {
      // The server may never hear of the session again: the next request opens another one.
      isOver ||= how.signal.aborted || silent.has((error as NodeJS.ErrnoException).code ?? "");
      throw error;
    } finally {
      opened.requests -= 1;
      if (isOver) end(opened);
      else if (opened.requests === 0 && !opened.session.closed) opened.idle = setTimeout(() => end(opened), idleMs);
    }
  }

  /** Ends all sessions with what is under way in them. */
  close(): void {
    for (const { session } of this.#open) session.destroy();
    this.#sessions.clear();
  }
}

/** Requests that are under way end as they would have. */
function end({ session, forget }: Open): void {
  forget();
  session.close();
}

export interface Http2Request {
  readonly url: URL;
  readonly method: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
}

interface Http2Options extends ReadOptions {
  readonly silenceMs: number;
  /** true: the session ends with the request. */
  readonly closes: boolean;
  open(): Promise<Socket>;
  other(socket: Socket): void;
}

function answered(
  opened: Open,
  request: Http2Request,
  { most, ignoreBody, signal, silenceMs, onHead }: ReadOptions & { readonly silenceMs: number },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { body } = request;
    let head: Omit<RawAnswer, "body"> | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stream = opened.session.request(headersOf(request), { endStream: body === undefined });
    const over = (): void => signal.removeEventListener("abort", abort);
    const fail = (error: unknown): void => {
      over();
      reject(error);
      stream.on("error", () => {});
      stream.close(cancel);
    };
    const abort = (): void => fail(signal.reason);
    const lost = (cause: unknown): void => {
      const { id = Number.POSITIVE_INFINITY, rstCode } = stream;
      const isRefused = head === undefined && (rstCode === refusedStream || id > opened.last || stream.pending);
      fail(isRefused ? new Refused("", { cause }) : cause);
    };
    signal.addEventListener("abort", abort, { once: true });
    stream.setTimeout(silenceMs, () => fail(coded(head === undefined ? noHead : noMore, "nothing came in time")));
    stream.on("response", (received) => {
      onHead();
      head = { status: Number(received[":status"]), statusText: "", headers: pairs(received) };
      const length = Number(received["content-length"]);
      if (request.method !== "HEAD" && !ignoreBody && length > most.bytes) fail(tooLong(most));
    });
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most.bytes) return fail(tooLong(most));
      if (!ignoreBody) chunks.push(chunk);
    });
    stream.on("end", () => {
      if (head === undefined || stream.rstCode !== 0) return;
      over();
      resolve({ ...head, body: Buffer.concat(chunks) });
    });
    stream.on("error", lost);
    stream.on("close", () => lost(coded("UND_ERR_SOCKET", "the server has ended the stream")));
    if (body !== undefined) stream.end(body);
  });
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function headersOf({ url, method, headers, body }: Http2Request): OutgoingHttpHeaders {
  const sent: Record<string, string | string[]> = {};
  let authority = url.host;
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] as string).toLowerCase();
    const value = headers[at + 1] as string;
    if (name === "host") authority = value;
    if (left.has(name)) continue;
    const before = sent[name];
    sent[name] = before === undefined ? value : [before, value].flat();
  }
  if (body !== undefined) sent["content-length"] = String(body.length);
  return {
    ...sent,
    ":method": method,
    ":scheme": url.protocol.slice(0, -1),
    ":authority": authority,
    ":path": `${url.pathname}${url.search}`,
  };
}

function pairs(received: IncomingHttpHeaders): [name: string, value: string][] {
  return Object.entries(received)
    .filter(([name]) => !name.startsWith(":"))
    .flatMap(([name, value = ""]) => [value].flat().map((one): [string, string] => [name, one]));
}
