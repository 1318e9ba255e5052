/**
 * Finds files that are dropped into the routes directory: deploys them (`ROUTES_WATCH=true`), or reports that they wait. The
 * operating system's notices only hasten a look at the directory, which comes in any case: not every file system gives notices.
 */
import { type FSWatcher, watch } from "node:fs";
import { AppError } from "../../shared/errors.ts";
import type { FlowFile, FlowStore } from "../stores/stores.ts";
import { goneMessage, isOwnFile } from "./flow-files.ts";
import type { FlowEntry, FlowRegister } from "./flow-register.ts";

export interface RoutesWatchParts {
  readonly directory: string;
  readonly store: Pick<FlowStore, "list">;
  readonly register: Pick<FlowRegister, "get" | "all">;
  /** Deploys a flow's file as it is, with its companion; absent: a file that comes is reported, and waits. */
  readonly deploy?:
    | {
        reload(id: string): Promise<unknown>;
        /** Ends a flow whose file has another name now, and leaves what it keeps. */
        end(id: string): Promise<unknown>;
        /** Returns true for a flow that has an access policy: its text is not served under another id, which has none. */
        guarded(id: string): boolean;
      }
    | undefined;
  /** Resolves when the changes of the flow that are under way are made. */
  readonly settled: (id: string) => Promise<void>;
  /** The names of the files that the boot load has reported. */
  readonly reported: () => ReadonlySet<string>;
  /** Called with all files of the directory whenever none of them seems to be written at that time. */
  readonly found: (files: readonly FlowFile[]) => void;
  readonly log: (level: "INFO" | "WARN" | "ERROR", message: string, flowId?: string) => void;
}

/** A file that is not deployed as it is. */
export interface WatchProblem {
  readonly file: string;
  readonly flowId?: string;
  readonly message: string;
}

interface Reported {
  readonly problem: WatchProblem;
  /** The problem is over as soon as the flow has this content. Absent: when the file changes. */
  readonly untilHash?: string | undefined;
}

/** A file is deployed when it has stayed as it is from one look to the next: those who write it may not be done. */
const settleMs = 300;
/** Between two looks without a notice. A file that only waits may be seen later. */
const everyMs = { deploying: 5000, reporting: 30_000 };

/** What a deployment is refused with when another flow has one of its names. */
const takenCodes: readonly string[] = ["route_taken", "direct_taken", "path_taken"];

/** What a look has found of a file: equal texts, the same content. */
type Seen = ReadonlyMap<string, string>;

export class RoutesWatch {
  readonly #parts: RoutesWatchParts;
  readonly #everyMs: number;
  readonly #problems = new Map<string, Reported>();
  /** The content of each file that was tried last, or that needs no try. */
  readonly #done = new Map<string, string>();
  /** The content and the problem of a file that were logged last. */
  readonly #said = new Map<string, string>();
  #before: Seen = new Map();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, as of `performance.now()`. */
  #due = 0;
  /** The system has given a notice during the look that is under way. */
  #noticed = false;
  #looking: Promise<void> | undefined;
  #stopped = false;
  /** Why the directory could not be read, if the last look failed. */
  #unreadable: string | undefined;

  constructor(parts: RoutesWatchParts) {
    this.#parts = parts;
    this.#everyMs = parts.deploy === undefined ? everyMs.reporting : everyMs.deploying;
  }

  /** The files that are not deployed as they are, in the order of their names. */
  get problems(): readonly WatchProblem[] {
    const { register } = this.#parts;
    return [...this.#problems.values()]
      .filter(
        ({ problem, untilHash }) => untilHash === undefined || register.get(problem.flowId ?? "")?.hash !== untilHash,
      )
      .map(({ problem }) => problem)
      .sort((a, b) => (a.file < b.file ? -1 : 1));
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
      log("WARN", `the routes directory gives no notices (${why}): it is looked at every ${this.#everyMs / 1000} s`);
    }
    const reported = this.#parts.reported();
    const files = await store.list().catch(() => []);
    for (const file of files) {
      const entry = register.get(file.id);
      const known = entry !== undefined && (entry.hash === file.hash || entry.state === "Failed");
      if (known || reported.has(file.file)) this.#done.set(file.file, this.#stampOf(file));
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
      .catch((error: unknown) => this.#reportUnreadable(error))
      .then((next) => {
        this.#looking = undefined;
        this.#in(this.#noticed ? settleMs : next);
      });
  }

  /** Returns when to look again, in ms. */
  async #look(): Promise<number> {
    const files = await this.#parts.store.list();
    this.#unreadable = undefined;
    const now: Seen = new Map(files.map((file) => [file.file, this.#stampOf(file)]));
    let moving = false;
    for (const file of files) {
      const stamp = this.#stampOf(file);
      if (this.#done.get(file.file) === stamp) continue;
      if (this.#before.get(file.file) !== stamp) moving = true;
      else if (!this.#stopped) await this.#deploy(file, stamp, now);
    }
    this.#before = now;
    // A file that has just come may be one that has just gone, under another name.
    if (!moving) await this.#noteGone(now);
    if (!moving && !this.#stopped) this.#parts.found(files);
    return moving ? settleMs : this.#everyMs;
  }

  /** Returns when to look again, in ms. A reason is logged once. */
  #reportUnreadable(error: unknown): number {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#unreadable) this.#parts.log("ERROR", `the routes directory cannot be read: ${reason}`);
    this.#unreadable = reason;
    return this.#everyMs;
  }

  /** What decides about a file; a changed file of a stopped flow is tried when the flow is started. */
  #stampOf({ id, hash, problem = "", companion = "" }: FlowFile): string {
    const entry = this.#parts.register.get(id);
    return `${hash} ${companion} ${isStopped(entry) && entry?.hash !== hash} ${problem}`;
  }

  async #deploy(file: FlowFile, stamp: string, now: Seen): Promise<void> {
    const { id, problem, hash } = file;
    const last = this.#done.get(file.file);
    this.#done.set(file.file, stamp);
    this.#problems.delete(file.file);
    if (!isOwnFile(file)) return this.#report(file, problem ?? "it is no flow");
    const entry = this.#parts.register.get(id);
    if (entry?.hash === hash && entry.state !== "Failed") {
      // The runtime has written it itself, or only its companion has changed.
      const [lastHash, lastCompanion] = last?.split(" ") ?? [];
      if (lastHash === hash && lastCompanion !== (file.companion ?? "")) {
        const name = `${id}.flow.yaml`;
        this.#report(
          file,
          `${name} has changed alone: it is read together with a changed ${id}.yaml, so change that or PUT the flow`,
          { level: "WARN" },
        );
      }
      return;
    }
    if (isStopped(entry)) {
      const message = `it has changed, and the flow is stopped: bulkhead reload ${id} deploys and starts it (POST /_api/flows/${id}/reload)`;
      return this.#report(file, message, { level: "WARN", untilHash: hash });
    }
    try {
      const { deploy } = this.#parts;
      if (deploy === undefined) return await this.#reportWaiting(file);
      const former = entry === undefined ? this.#formerOf(file, now) : undefined;
      if (former !== undefined) return await this.#rename(former, file, deploy);
      await deploy.reload(id);
      this.#parts.log("INFO", `${file.file} was deployed as it was dropped into the routes directory`, id);
    } catch (error) {
      // The file is gone again, or the runtime ends.
      if (error instanceof AppError && ["not_found", "draining"].includes(error.code)) return;
      this.#report(file, error instanceof Error ? error.message : String(error));
    }
  }

  /** Returns the flow that had this file under another name. */
  #formerOf({ hash }: FlowFile, now: Seen): string | undefined {
    for (const { id, deployment } of this.#parts.register.all())
      if (deployment?.hash === hash && !now.has(`${id}.yaml`)) return id;
    return undefined;
  }

  /** A renamed file is one flow: the one of its former name ends. */
  async #rename(former: string, file: FlowFile, deploy: NonNullable<RoutesWatchParts["deploy"]>): Promise<void> {
    const { id } = file;
    if (deploy.guarded(former) && !deploy.guarded(id)) {
      const message = `it has the text of the flow ${former}, whose file is gone and which has an access policy. Give ${id} one, too (PUT /_api/auth/${id}), or rename the file back`;
      // The policy may come without a change of the file.
      this.#done.delete(file.file);
      return this.#report(file, message);
    }
    try {
      await deploy.reload(id);
    } catch (error) {
      if (!(error instanceof AppError && takenCodes.includes(error.code))) throw error;
      await deploy.end(former);
      await deploy.reload(id);
    }
    if (this.#parts.register.get(former)?.deployment !== undefined) await deploy.end(former);
    for (const map of [this.#problems, this.#done]) map.delete(`${former}.yaml`);
    const message = `${former}.yaml was renamed to ${file.file}: the flow ${former} has ended, and ${id} serves in its place. What ${former} had kept (state, failed messages) stays under its id`;
    this.#parts.log("WARN", message, id);
  }

  async #reportWaiting(file: FlowFile): Promise<void> {
    const { id, hash, problem } = file;
    if (problem !== undefined) return this.#report(file, problem);
    // A deployment writes the file before it serves it.
    await this.#parts.settled(id);
    if (this.#parts.register.get(id)?.hash === hash) return;
    const message = `it waits for bulkhead reload ${id} (POST /_api/flows/${id}/reload)`;
    this.#report(file, message, { level: "INFO", untilHash: hash });
  }

  #report(
    { file, id, ...rest }: FlowFile,
    message: string,
    { level = "ERROR", untilHash }: { readonly level?: "INFO" | "WARN" | "ERROR"; readonly untilHash?: string } = {},
  ): void {
    const own = isOwnFile({ file, id, ...rest });
    this.#problems.set(file, { problem: { file, ...(own && { flowId: id }), message }, untilHash });
    const said = `${rest.hash} ${message}`;
    if (this.#said.get(file) !== said)
      this.#parts.log(level, `${file} is not deployed: ${message}`, own ? id : undefined);
    this.#said.set(file, said);
  }

  /** A flow whose file is removed goes on: nobody stops a flow by moving files. */
  async #noteGone(now: Seen): Promise<void> {
    for (const file of this.#done.keys()) {
      if (now.has(file)) continue;
      this.#done.delete(file);
      this.#said.delete(file);
      this.#problems.delete(file);
      const id = file.replace(/\.yaml$/, "");
      await this.#parts.settled(id).catch(() => undefined);
      if (this.#parts.register.get(id)?.deployment === undefined) continue;
      const message = goneMessage(id);
      this.#problems.set(file, { problem: { file, flowId: id, message } });
      this.#parts.log("WARN", message, id);
    }
    for (const [file, { problem }] of this.#problems) {
      const { flowId } = problem;
      const over = flowId !== undefined && !now.has(file) && this.#parts.register.get(flowId)?.deployment === undefined;
      if (over) this.#problems.delete(file);
    }
  }
}

function isStopped(entry: FlowEntry | undefined): boolean {
  return entry?.state === "Stopped" || entry?.state === "Stopping";
}
