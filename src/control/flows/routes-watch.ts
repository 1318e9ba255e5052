/**
 * Deploys files as they are dropped into the routes directory (`ROUTES_WATCH=true`). The operating system's notices only hasten a look at
 * the directory, which comes every few seconds in any case: not every file system gives notices.
 */
import { type FSWatcher, watch } from "node:fs";
import { AppError } from "../../shared/errors.ts";
import type { FlowFile, FlowStore } from "../stores/stores.ts";
import { isOwnFile } from "./flow-files.ts";
import type { FlowRegister } from "./flow-register.ts";

export interface RoutesWatchParts {
  readonly directory: string;
  readonly store: Pick<FlowStore, "list">;
  readonly register: Pick<FlowRegister, "get" | "all">;
  /** Deploys the flow's file as it is, with its companion. */
  readonly reload: (id: string) => Promise<unknown>;
  readonly log: (level: "INFO" | "WARN" | "ERROR", message: string, flowId?: string) => void;
}

/** A file that is not deployed as it is. */
export interface WatchProblem {
  readonly file: string;
  readonly flowId?: string;
  readonly message: string;
}

/** A file is deployed when it has stayed as it is from one look to the next: those who write it may not be done. */
const settleMs = 300;
const everyMs = 5000;

/** What a look has found of a file: equal texts, the same content. */
type Seen = ReadonlyMap<string, string>;

export class RoutesWatch {
  readonly #parts: RoutesWatchParts;
  readonly #problems = new Map<string, WatchProblem>();
  /** The content of each file that was tried last, or that needs no try. */
  readonly #done = new Map<string, string>();
  #before: Seen = new Map();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, as of `performance.now()`. */
  #due = 0;
  /** The system has given a notice during the look that is under way. */
  #noticed = false;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: RoutesWatchParts) {
    this.#parts = parts;
  }

  /** The files that are not deployed as they are, in the order of their names. */
  get problems(): readonly WatchProblem[] {
    return [...this.#problems.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  /** Called once the flows of the boot are loaded: what these have been made of, or could not be made of, needs no try. */
  async start(): Promise<void> {
    if (this.#stopped) return;
    const { directory, store, register, log } = this.#parts;
    try {
      this.#watcher = watch(directory, () => this.#in(settleMs));
      // The directory is gone, or notices have ended: the looks go on.
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log("WARN", `the routes directory gives no notices (${why}): it is looked at every ${everyMs / 1000} s`);
    }
    const files = await store.list().catch(() => []);
    for (const file of files) {
      const entry = register.get(file.id);
      const known = entry !== undefined && (entry.hash === file.hash || entry.state === "Failed");
      if (known || file.problem !== undefined) this.#done.set(file.file, stampOf(file));
    }
    this.#in(settleMs);
  }

  /** Resolves when no deployment of the watch is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  /** A look that is due earlier stays. During a look: the next one comes as soon as files may have settled. */
  #in(ms: number): void {
    if (this.#stopped) return;
    const due = performance.now() + ms;
    if (this.#looking !== undefined) this.#noticed = true;
    else if (this.#timer === undefined || due < this.#due) {
      clearTimeout(this.#timer);
      this.#due = due;
      this.#timer = setTimeout(() => this.#begin(), ms).unref();
    }
  }

  #begin(): void {
    this.#timer = undefined;
    this.#noticed = false;
    this.#looking = this.#look()
      .catch((error: unknown) => {
        this.#parts.log(
          "ERROR",
          `the routes directory cannot be read: ${error instanceof Error ? error.message : error}`,
        );
        return everyMs;
      })
      .then((next) => {
        this.#looking = undefined;
        this.#in(this.#noticed ? settleMs : next);
      });
  }

  /** Returns when to look again, in ms. */
  async #look(): Promise<number> {
    const files = await this.#parts.store.list();
    const now: Seen = new Map(files.map((file) => [file.file, stampOf(file)]));
    let moving = false;
    for (const file of files) {
      const stamp = stampOf(file);
      if (this.#done.get(file.file) === stamp) continue;
      if (this.#before.get(file.file) !== stamp) moving = true;
      else if (!this.#stopped) await this.#deploy(file, stamp);
    }
    this.#before = now;
    this.#noteGone(now);
    return moving ? settleMs : everyMs;
  }

  async #deploy(file: FlowFile, stamp: string): Promise<void> {
    const { id, problem, hash } = file;
    const last = this.#done.get(file.file);
    this.#done.set(file.file, stamp);
    this.#problems.delete(file.file);
    if (!isOwnFile(file)) return this.#report(file, problem ?? "it is no flow");
    const entry = this.#parts.register.get(id);
    if (entry?.hash === hash && entry.state !== "Failed") {
      // The runtime has written it itself, or only its companion has changed.
      if (last?.startsWith(`${hash} `) === true) {
        const name = `${id}.flow.yaml`;
        this.#report(
          file,
          `${name} has changed alone: it is read together with a changed ${id}.yaml, so change that or PUT the flow`,
          "WARN",
        );
      }
      return;
    }
    if (entry !== undefined && (entry.state === "Stopped" || entry.state === "Stopping")) {
      return this.#report(file, "it has changed, and the flow is stopped: start it to deploy the file", "WARN");
    }
    try {
      await this.#parts.reload(id);
      this.#parts.log("INFO", `${file.file} was deployed as it was dropped into the routes directory`, id);
    } catch (error) {
      // The file is gone again, or the runtime ends.
      if (error instanceof AppError && ["not_found", "draining"].includes(error.code)) return;
      this.#report(file, error instanceof Error ? error.message : String(error));
    }
  }

  #report({ file, id, ...rest }: FlowFile, message: string, level: "WARN" | "ERROR" = "ERROR"): void {
    const own = isOwnFile({ file, id, ...rest });
    this.#problems.set(file, { file, ...(own && { flowId: id }), message });
    this.#parts.log(level, `${file} is not deployed: ${message}`, own ? id : undefined);
  }

  /** A flow whose file is removed goes on: nobody stops a flow by moving files. */
  #noteGone(now: Seen): void {
    for (const file of this.#done.keys()) {
      if (now.has(file)) continue;
      this.#done.delete(file);
      this.#problems.delete(file);
      const id = file.replace(/\.yaml$/, "");
      if (this.#parts.register.get(id)?.deployment === undefined) continue;
      const message = `${file} is gone, and the flow goes on as it was deployed: DELETE the flow, or put the file back`;
      this.#problems.set(file, { file, flowId: id, message });
      this.#parts.log("WARN", message, id);
    }
    for (const [file, { flowId }] of this.#problems) {
      const over = flowId !== undefined && !now.has(file) && this.#parts.register.get(flowId)?.deployment === undefined;
      if (over) this.#problems.delete(file);
    }
  }
}

function stampOf({ hash, problem = "", companion = "" }: FlowFile): string {
  return `${hash} ${companion} ${problem}`;
}
