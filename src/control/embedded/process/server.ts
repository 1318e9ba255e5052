/**
 * Works off the requests of all clients of a group's databases. One statement runs at a time. What has to wait for a
 * transaction of another client is tried again when that has ended, in the order in which it came.
 */
import { accessSync, constants, existsSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import {
  type EmbeddedAnswer,
  type EmbeddedFailure,
  type EmbeddedRequest,
  readEmbedded,
  writeEmbedded,
} from "../../../shared/embedded.ts";
import { HostSocket } from "../../threads/hosts/host-socket.ts";
import type { ProcessMessage, ToProcess } from "../messages.ts";
import { failureOf, isBusy, RequestFailure } from "./failure.ts";
import { Session, type SessionOptions } from "./session.ts";

interface Request {
  readonly id: number;
  readonly session: number;
  /** How long it waits for transactions of others. */
  readonly waitMs: number;
  content: Uint8Array | undefined;
  /** Ends the wait for others; undefined: it does not wait. */
  giveUp: NodeJS.Timeout | undefined;
}

interface Client {
  readonly options: SessionOptions;
  /** Opened with its first request, but for `hello`. */
  session: Session | undefined;
}

/** All pages at once: a copy is made of one moment, in a thread of Node's. */
const allPages = 2 ** 30;

export class Server {
  readonly #folder: string;
  readonly #socket: HostSocket;
  readonly #clients = new Map<number, Client>();
  #queue: Request[] = [];
  #waiting: Request[] = [];
  #scheduled = false;
  /** Sends what has collected. Called before each statement, which may take long. */
  #leave: (() => void) | undefined;

  /** `closed` is called when control has closed the line, or has sent what cannot be read. */
  constructor(folder: string, line: Socket, closed: () => void) {
    this.#folder = folder;
    const listener = {
      frame: (id: number, bytes: Buffer) => this.#content(id, bytes),
      message: (message: readonly unknown[]) => this.#receive(message as ToProcess),
      drained() {},
      closed,
    };
    this.#socket = new HostSocket(line, listener, (leave) => {
      this.#leave = leave;
      setImmediate(() => this.#flush());
    });
    this.#send("ready");
  }

  #receive(message: ToProcess): void {
    switch (message[0]) {
      case "client": {
        const [, number, file, quotaBytes] = message;
        this.#clients.set(number, { options: { path: join(this.#folder, file), quotaBytes }, session: undefined });
        return;
      }
      case "ask": {
        const [, id, session, waitMs] = message;
        this.#queue.push({ id, session, waitMs, content: undefined, giveUp: undefined });
        return;
      }
      case "cancel":
        this.#cancel(message[1]);
        return;
      case "end":
        this.#end(message[1]);
        return;
      case "copy":
        void this.#copy(message[1], message[2], message[3]);
        return;
      default:
        message satisfies never;
    }
  }

  /** The content of a request follows what announces it, in the same write or a later one. */
  #content(id: number, bytes: Buffer): void {
    const request = this.#queue.find((one) => one.id === id);
    if (request !== undefined) request.content = new Uint8Array(bytes);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#queue[0]?.content === undefined) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#next();
      this.#schedule();
    });
  }

  /** One statement in a turn: requests to cancel others are read in between. */
  #next(): void {
    const request = this.#queue[0];
    if (request?.content === undefined) return;
    this.#queue.shift();
    const client = this.#clients.get(request.session);
    if (client === undefined) {
      this.#fail(request.id, new RequestFailure("its connection is closed", "08003"));
      return;
    }
    const wasInTransaction = client.session?.isInTransaction === true;
    try {
      const content = readEmbedded(request.content) as EmbeddedRequest;
      this.#send("running", request.id, !wasInTransaction || content[0] === "commit");
      this.#flush();
      const answer = this.#execute(client, content);
      clearTimeout(request.giveUp);
      this.#socket.post(request.id, writeEmbedded(answer));
    } catch (error) {
      if (isBusy(error)) this.#wait(request);
      else {
        clearTimeout(request.giveUp);
        this.#fail(request.id, error);
      }
    }
    if (wasInTransaction && client.session?.isInTransaction !== true) this.#tryAgain();
  }

  #execute(client: Client, content: EmbeddedRequest): EmbeddedAnswer {
    // A trial makes no file.
    if (content[0] === "hello" && !existsSync(client.options.path)) {
      accessSync(this.#folder, constants.W_OK);
      return ["rows", 1, "version", null, null, process.versions["sqlite"]];
    }
    client.session ??= new Session(client.options);
    return client.session.execute(content);
  }

  #wait(request: Request): void {
    request.giveUp ??= setTimeout(() => {
      const { waitMs } = request;
      const message = `another transaction has written to the database for more than ${waitMs} ms (option lockWaitMs of the connection)`;
      this.#drop(request.id, new RequestFailure(message, "40001"));
    }, request.waitMs);
    this.#waiting.push(request);
    this.#send("waiting", request.id);
  }

  #tryAgain(): void {
    this.#queue = [...this.#waiting, ...this.#queue];
    this.#waiting = [];
    this.#schedule();
  }

  #cancel(id: number): void {
    this.#drop(id, new RequestFailure("it was cancelled before it began", "57014"));
  }

  /** Fails a request that does not run. */
  #drop(id: number, why: RequestFailure): void {
    const found = [...this.#queue, ...this.#waiting].find((one) => one.id === id);
    if (found === undefined) return;
    clearTimeout(found.giveUp);
    this.#queue = this.#queue.filter((one) => one !== found);
    this.#waiting = this.#waiting.filter((one) => one !== found);
    this.#fail(id, why);
    this.#schedule();
  }

  #end(number: number): void {
    const client = this.#clients.get(number);
    this.#clients.delete(number);
    for (const { id, session } of [...this.#queue, ...this.#waiting]) if (session === number) this.#cancel(id);
    client?.session?.end();
    this.#tryAgain();
  }

  async #copy(id: number, file: string, target: string): Promise<void> {
    try {
      const database = new DatabaseSync(join(this.#folder, file), { timeout: 5000, readOnly: true });
      try {
        await backup(database, join(this.#folder, target), { rate: allPages });
      } finally {
        database.close();
      }
      this.#send("copied", id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    const failure: EmbeddedFailure = failureOf(error);
    this.#send("failed", id, failure);
  }

  #send(...message: ProcessMessage): void {
    this.#socket.send(message);
  }

  #flush(): void {
    const leave = this.#leave;
    this.#leave = undefined;
    leave?.();
  }
}
