/** Control's end of the state thread: starts it with the first request, sends the requests of a turn together, and settles their promises. */
import { Worker } from "node:worker_threads";
import { entries } from "../threads/code.ts";
import { threadFlags } from "../threads/local/thread-flags.ts";
import { type FailureCode, type Owner, StateFailure } from "./operations.ts";
import {
  type AnswerKind,
  type Answers,
  closing,
  type GroupNews,
  type NewsKind,
  pushRequest,
  type Requests,
  type StateThreadData,
} from "./wire.ts";
import type { WorkReport } from "./work-report.ts";

interface Pending {
  resolve(value: unknown): void;
  reject(error: StateFailure): void;
}

export interface StateLinkOptions extends StateThreadData {
  /** The module of the thread; absent: the runtime's own. */
  readonly entry?: URL | undefined;
  news(kind: Exclude<NewsKind, "worked">, news: GroupNews): void;
  /** Called with each report of the thread. */
  worked(report: WorkReport): void;
  /** Called when the thread has ended without having been asked to. */
  ended(reason: string): void;
}

export class StateLink {
  readonly #options: StateLinkOptions;
  #worker: Worker | undefined;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #requests: Requests = [];
  #closed = false;
  readonly #flush = (): void => {
    const requests = this.#requests;
    this.#requests = [];
    if (requests.length > 0) this.#worker?.postMessage(requests);
  };

  constructor(options: StateLinkOptions) {
    this.#options = options;
  }

  /** How many requests are not answered yet. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Whether anything was ever asked. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /** Rejects with StateFailure. `group`: the name of its file, without its ending. */
  ask(group: string, operation: string, owner: Owner, args: readonly unknown[]): Promise<unknown> {
    if (this.#closed) return Promise.reject(new StateFailure("store_failed", "the runtime is shutting down"));
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    if (this.#requests.length === 0) setImmediate(this.#flush);
    pushRequest(this.#requests, { id, group, operation, owner, args });
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  /** Resolves when the thread has worked off what it was asked, and has closed all files. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#flush();
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage(closing);
    await ended;
  }

  #start(): Worker {
    const { entry = entries.state, directory, mostKeys, mostBytes, failed, session, dataKeys } = this.#options;
    const worker = new Worker(entry, {
      ...threadFlags(entry, { files: directory }),
      workerData: { directory, mostKeys, mostBytes, failed, session, dataKeys } satisfies StateThreadData,
      name: "state",
    });
    let failure: Error | undefined;
    worker.on("message", (answers: Answers) => this.#receive(answers));
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", () => this.#ended(worker, failure));
    return worker;
  }

  #receive(answers: Answers): void {
    for (let at = 0; at < answers.length; at += 3) {
      const [id, kind, value] = answers.slice(at, at + 3) as [number, AnswerKind | NewsKind, unknown];
      if (id === 0) {
        if (kind === "worked") this.#options.worked(value as WorkReport);
        else this.#options.news(kind as Exclude<NewsKind, "worked">, value as GroupNews);
        continue;
      }
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (kind === "") pending?.resolve(value);
      else pending?.reject(new StateFailure(kind as FailureCode, String(value)));
    }
  }

  /** The next request starts another thread: what was confirmed is in the files, what was claimed is free. */
  #ended(worker: Worker, failure: Error | undefined): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const reason = failure === undefined ? "it ended without having been asked to" : failure.message;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    this.#requests = [];
    for (const { reject } of lost)
      reject(new StateFailure("store_failed", `the state store had to be started anew: ${reason}`));
    if (!this.#closed) this.#options.ended(reason);
  }
}
