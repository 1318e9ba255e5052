/**
 * The databases of one group: their clients, whose requests one process answers. It is started with the first request,
 * killed and started again when a statement does not end, and ended when no client is left.
 */
import type { EmbeddedFailure } from "../../shared/embedded.ts";
import type { Limits } from "../../shared/limits.ts";
import type { EmbeddedClient, EmbeddedReply } from "../threads/embedded-client.ts";
import { EmbeddedProcess } from "./embedded-process.ts";
import type { ProcessMessage } from "./messages.ts";

export interface EmbeddedSettings {
  /** Of the connection. */
  readonly name: string;
  readonly quotaBytes: number;
  /** How long a request waits for transactions of other clients. */
  readonly lockWaitMs: number;
}

export interface EmbeddedGroupOptions {
  readonly name: string;
  readonly entry: URL;
  readonly limits: Limits;
  /** Returns the folder, which exists then. Throws an Error. */
  folder(): string;
  log(level: "INFO" | "WARN", message: string): void;
}

interface Client {
  readonly number: number;
  readonly lost: (why: string) => void;
}

interface Pending {
  readonly client: Client | undefined;
  readonly reply: EmbeddedReply;
  /** Cancels it when its time is over. */
  timer: NodeJS.Timeout | undefined;
  running: boolean;
  lasts: boolean;
  /** Why it has to end. */
  cancelled: string | undefined;
  grace: NodeJS.Timeout | undefined;
}

/** How long a statement that was cancelled may go on before its process is killed. */
const graceMs = 500;
/** A process without clients is ended after this time. */
const idleMs = 5000;

export class EmbeddedGroup {
  readonly #options: EmbeddedGroupOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #clients = new Map<number, Client>();
  #process: EmbeddedProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastClient = 0;
  #lastRequest = 0;
  /** How many of its processes have ended by themselves, or were killed. */
  restarts = 0;

  constructor(options: EmbeddedGroupOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get memoryBytes(): number {
    return this.#process?.memoryBytes ?? 0;
  }

  /** `lost` is called when the process has ended under it; the client is of no use then. Throws an Error. */
  client({ name, quotaBytes, lockWaitMs }: EmbeddedSettings, lost: (why: string) => void): EmbeddedClient {
    clearTimeout(this.#idle);
    const process = this.#running();
    const client: Client = { number: ++this.#lastClient, lost };
    this.#clients.set(client.number, client);
    process.send("client", client.number, fileOf(name), quotaBytes);
    return {
      ask: (content, mostMs, reply) => {
        const id = this.#nextRequest();
        if (!this.#clients.has(client.number)) {
          reply(undefined, { message: "the connection to the embedded database is closed", code: 0, state: "08003" });
          return id;
        }
        this.#add(id, client, reply).timer = setTimeout(
          () => this.#cancel(id, `the statement did not end within ${mostMs} ms`),
          mostMs,
        );
        process.send("ask", id, client.number, lockWaitMs);
        process.post(id, content);
        return id;
      },
      cancel: (request) => this.#cancel(request, "the statement was cancelled"),
      end: () => this.#end(client),
    };
  }

  /** Copies a database, as of one moment, to another file of the folder. Rejects with an Error. */
  copy(file: string, target: string): Promise<void> {
    clearTimeout(this.#idle);
    const process = this.#running();
    const id = this.#nextRequest();
    return new Promise<void>((resolve, reject) => {
      this.#add(id, undefined, (_, failure) =>
        failure === undefined ? resolve() : reject(new Error(failure.message)),
      );
      process.send("copy", id, file, target);
    }).finally(() => this.#look());
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#process?.end();
  }

  /** The line to the process numbers what it carries by 32 bits. */
  #nextRequest(): number {
    this.#lastRequest = (this.#lastRequest % 0xffff_ffff) + 1;
    return this.#lastRequest;
  }

  #running(): EmbeddedProcess {
    this.#process ??= this.#start();
    return this.#process;
  }

  #start(): EmbeddedProcess {
    const { name, entry, limits, log, folder } = this.#options;
    const started = new EmbeddedProcess({
      ...{ entry, limits, folder: folder() },
      printed: (line) => log("WARN", `the process of the embedded databases of '${name}': ${line}`),
      message: (message) => this.#receive(message),
      answer: (id, content) => this.#settle(id, new Uint8Array(content)),
      ended: (how) => this.#lost(started, how),
    });
    return started;
  }

  #add(id: number, client: Client | undefined, reply: EmbeddedReply): Pending {
    const pending: Pending = {
      ...{ client, reply, timer: undefined, running: false, lasts: false, cancelled: undefined, grace: undefined },
    };
    this.#pending.set(id, pending);
    return pending;
  }

  #receive(message: ProcessMessage): void {
    const [kind, id] = message;
    if (kind === "ready") return;
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    switch (kind) {
      case "running":
        pending.running = true;
        pending.lasts = message[2];
        if (pending.cancelled !== undefined) this.#hurry(pending);
        return;
      case "waiting":
        pending.running = false;
        clearTimeout(pending.grace);
        return;
      case "failed": {
        const [, , failure] = message;
        // It did not begin.
        const cancelled = pending.cancelled !== undefined && failure.state === "57014";
        this.#settle(id, undefined, cancelled ? { ...failure, message: pending.cancelled as string } : failure);
        return;
      }
      case "copied":
        this.#settle(id, new Uint8Array());
        return;
      default:
        message satisfies never;
    }
  }

  #cancel(id: number, why: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || pending.cancelled !== undefined) return;
    pending.cancelled = why;
    if (pending.running) this.#hurry(pending);
    else this.#process?.send("cancel", id);
  }

  #hurry(pending: Pending): void {
    pending.grace = setTimeout(() => this.#process?.kill(pending.cancelled as string), graceMs);
  }

  #settle(id: number, answer: Uint8Array<ArrayBuffer> | undefined, failure?: EmbeddedFailure): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    clearTimeout(pending.grace);
    pending.reply(answer, failure);
  }

  #end(client: Client): void {
    if (!this.#clients.delete(client.number)) return;
    for (const [id, pending] of this.#pending)
      if (pending.client === client) this.#cancel(id, "the connection was closed");
    this.#process?.send("end", client.number);
    this.#look();
  }

  #look(): void {
    clearTimeout(this.#idle);
    if (this.#clients.size > 0 || this.#process === undefined) return;
    this.#idle = setTimeout(() => {
      if (this.#pending.size > 0) this.#look();
      else {
        const ended = this.#process;
        this.#process = undefined;
        void ended?.end();
      }
    }, idleMs).unref();
  }

  /** Settles all requests, each with what is known of it. */
  #lost(process: EmbeddedProcess, how: string | undefined): void {
    // One that had nothing to do has been replaced.
    if (this.#process !== process) return;
    const { name, log } = this.#options;
    if (how !== undefined) {
      this.restarts += 1;
      log("WARN", `the embedded databases of '${name}' are opened anew: ${how}`);
    }
    this.#process = undefined;
    const why = `the embedded databases of '${name}' were opened anew: ${how ?? "the runtime is shutting down"}`;
    for (const [id, { running, lasts, cancelled }] of this.#pending) {
      const fate = running && lasts ? "it is not known whether this statement was done" : "this statement was not done";
      const message =
        running && cancelled !== undefined ? `${cancelled}, and its process was killed` : `${why}; ${fate}`;
      const state = running && cancelled !== undefined ? "57014" : running && lasts ? "08007" : "57P01";
      this.#settle(id, undefined, { message, code: 0, state });
    }
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    for (const client of clients) client.lost(why);
  }
}

export function fileOf(name: string): string {
  return `${name}.sqlite`;
}
