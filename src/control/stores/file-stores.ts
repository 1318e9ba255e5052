/** The flow store on files: YAML in the routes directory, revisions and heads in the data directory. */
import { join } from "node:path";
import { AppError } from "../../shared/errors.ts";
import { idProblem } from "../../shared/ids.ts";
import type { BackedUp, LeftOut, StoredFile } from "./backed-up.ts";
import { draftRevision, stageRevision } from "./commit-revision.ts";
import { FlowLoader, stateOf } from "./flow-loader.ts";
import { type FsPort, nodeFs } from "./fs-port.ts";
import { noSuchFlow, refuseContent, refuseId } from "./refusals.ts";
import { copyRevisions, RevisionFiles } from "./revision-files.ts";
import { RoutesDirectory } from "./routes-directory.ts";
import type { FlowChange } from "./sets.ts";
import type { Staged } from "./staged-change.ts";
import { ignoreDamage, readError, TornWriteError } from "./store-error.ts";
import { StoreGuard } from "./store-guard.ts";
import {
  type AdoptBeside,
  type DesiredState,
  type FilesBeside,
  type FlowFile,
  type FlowStore,
  type FlowText,
  incarnationOf,
  type Kept,
  type PreparedRevision,
  type RemoveOptions,
  type RevisionContent,
  revisionsKept,
  type StoredFlow,
  type StoredRevision,
  type StoreStatus,
} from "./stores.ts";

export interface FileStoreOptions {
  readonly routesDirectory: string;
  readonly dataDirectory: string;
  /** The most bytes that a flow's YAML may have. */
  readonly flowYamlBytes: number;
  /** The guard that the process's stores share; absent: this store has one of its own. */
  readonly guard?: StoreGuard | undefined;
  /** Why the routes directory is not this process's alone: no flow's file is changed then, even when it could be. */
  readonly unlocked?: string | undefined;
  readonly fs?: FsPort;
}

/** The guard's name for this store. */
const area = "flows";

export class FileFlowStore implements FlowStore, BackedUp {
  readonly #routes: RoutesDirectory;
  readonly #revisions: RevisionFiles;
  readonly #fs: FsPort;
  readonly #revisionsDirectory: string;
  readonly #mostBytes: number;
  /** Why `load` left out a flow whose file is good, by id. */
  readonly #damage = new Map<string, string>();
  /** Why `load` left out a flow whose companion is not in order, by id. */
  readonly #refused = new Map<string, string>();
  readonly #guard: StoreGuard;
  readonly #unlocked: string | undefined;

  constructor({ routesDirectory, dataDirectory, flowYamlBytes, guard, unlocked, fs = nodeFs }: FileStoreOptions) {
    this.#guard = guard ?? new StoreGuard();
    this.#unlocked = unlocked;
    this.#mostBytes = flowYamlBytes;
    this.#routes = new RoutesDirectory(fs, routesDirectory, flowYamlBytes);
    this.#fs = fs;
    this.#revisionsDirectory = join(dataDirectory, "flows");
    this.#revisions = new RevisionFiles(fs, this.#revisionsDirectory);
  }

  async load(stopped?: AbortSignal, adopt?: AdoptBeside): Promise<readonly StoredFlow[]> {
    const { flows, damage, refused, torn } = await wrapReadError(() =>
      new FlowLoader(this.#routes, this.#revisions, adopt).load(stopped),
    );
    this.#damage.clear();
    for (const [id, reason] of damage) this.#damage.set(id, reason);
    for (const [id, reason] of refused) this.#refused.set(id, reason);
    if (torn !== undefined) this.#guard.torn(torn);
    await this.#guard.tryWriting(area, async () => {
      if (this.#unlocked === undefined) await this.#routes.mayWrite();
      await this.#revisions.mayWrite();
    });
    return flows;
  }

  async list(): Promise<readonly FlowFile[]> {
    const files = await wrapReadError(() => this.#routes.list());
    return files.map((file) => {
      const refused = this.#refused.get(file.id);
      // The file may have been mended, or its companion: a reload tries it again.
      return this.#withDamage(
        refused === undefined || file.problem !== undefined ? file : { ...file, problem: refused },
      );
    });
  }

  beside(id: string): Promise<FilesBeside> {
    return wrapReadError(() => this.#routes.beside(id));
  }

  async read(id: string): Promise<FlowText | undefined> {
    const [read, head] = await Promise.allSettled([this.#routes.read(id), this.#headRevision(id)]);
    if (read.status === "rejected") throw readError(read.reason);
    const file = read.value;
    if (file === undefined) return undefined;
    if (file.problem !== undefined) return { ...this.#withDamage(file), head: null };
    if (head.status === "rejected") throw readError(head.reason);
    return { ...this.#withDamage(file), head: head.value ?? null };
  }

  async revisions(id: string): Promise<readonly StoredRevision[]> {
    refuseId(id);
    return wrapReadError(async () => {
      const head = await this.#revisions.head(id).catch(ignoreDamage);
      const last = head?.last ?? Number.POSITIVE_INFINITY;
      const numbers = (await this.#revisions.numbers(id)).filter((revision) => revision <= last);
      // There are more when a loss of power has brought deleted ones back.
      return this.#revisions.records(id, numbers.slice(-revisionsKept).reverse());
    });
  }

  async keep(id: string, content: RevisionContent): Promise<Kept> {
    return (await this.prepare(id, content)).commit();
  }

  async prepare(id: string, content: RevisionContent): Promise<PreparedRevision> {
    refuseId(id);
    refuseContent(content, this.#mostBytes);
    const began = performance.now();
    const draft = await this.#guard.change(area, async () => {
      this.#refuseUnlocked();
      return draftRevision(this.#revisions, id, content, {
        mayTake: () => this.#routes.refuseTarget(id),
        draft: (bytes) => this.#routes.draft(id, bytes),
      });
    });
    const commit = async (): Promise<Kept> => {
      const kept = await draft.commit();
      this.#forgetProblems(id);
      return kept;
    };
    return { commit: () => this.#guard.change(area, commit, began), discard: () => draft.discard() };
  }

  /** Prepares a new revision, or the removal of the flow, as one of the changes of a set. Refusals are as of `keep` and `remove`; others are the disk's. */
  async stage({ id, content, keepState }: FlowChange): Promise<Staged<Kept | undefined>> {
    refuseId(id);
    this.#refuseUnlocked();
    if (content !== null) refuseContent(content, this.#mostBytes);
    else if (!(await this.#routes.exists(id))) throw noSuchFlow(id);
    const staged = await stageRevision(
      this.#revisions,
      { id, content, keepState },
      {
        mayTake: () => this.#routes.refuseTarget(id),
        draft: (bytes) => this.#routes.draft(id, bytes),
        path: this.#routes.pathOf(id),
      },
    );
    return {
      ...staged,
      finish: () => {
        this.#forgetProblems(id);
        return staged.finish();
      },
    };
  }

  async setState(id: string, state: DesiredState): Promise<void> {
    refuseId(id);
    await this.#change(async () => {
      const head = await this.#revisions.head(id);
      if (head === undefined || head.deleted) {
        // A flow that `load` could not record counts as started.
        if (state === "started" && (await this.#routes.exists(id))) return;
        throw noSuchFlow(id);
      }
      // Written even if it is unchanged: a killed process may have renamed this head and not synced it.
      await this.#revisions.writeHead(id, { ...head, state });
    });
  }

  async remove(id: string, { purge = false, keepState = false, keepFile = false }: RemoveOptions = {}): Promise<void> {
    refuseId(id);
    await this.#change(async () => {
      this.#refuseUnlocked();
      const numbers = await this.#revisions.numbers(id);
      const exists = await this.#routes.exists(id);
      if (!exists && !(purge && numbers.length > 0)) throw noSuchFlow(id);
      if (exists && !keepFile) await this.#routes.remove(id);
      this.#forgetProblems(id);
      await this.#bury(id, numbers, { purge, keepState });
    });
  }

  async incarnation(id: string): Promise<number | undefined> {
    refuseId(id);
    const head = await wrapReadError(() => this.#revisions.head(id).catch(ignoreDamage));
    return head && incarnationOf(head, undefined, head.last + 1);
  }

  async survey(): Promise<{ readonly ids: readonly string[]; readonly leftOut: readonly LeftOut[] }> {
    const [files, kept] = await wrapReadError(() => Promise.all([this.#routes.list(), this.#revisions.ids()]));
    const flows = files.filter(({ problem }) => problem === undefined).map(({ id }) => id);
    const leftOut = files.flatMap(({ file, problem }) =>
      problem === undefined ? [] : [{ name: `routes/${file}`, reason: problem }],
    );
    return { ids: [...new Set([...flows, ...kept])].sort(), leftOut };
  }

  async files(id: string): Promise<readonly StoredFile[]> {
    return wrapReadError(async () => {
      const file = await this.#routes.read(id);
      const isFlow = file !== undefined && file.problem === undefined;
      const yaml = isFlow ? [{ path: `routes/${id}.yaml`, content: new TextEncoder().encode(file.yaml) }] : [];
      return [...yaml, ...(await copyRevisions(this.#fs, this.#revisionsDirectory, id))];
    });
  }

  #forgetProblems(id: string): void {
    this.#damage.delete(id);
    this.#refused.delete(id);
  }

  status(): StoreStatus {
    const { status } = this.#guard;
    return status.writable && this.#unlocked !== undefined ? { writable: false, reason: this.#unlocked } : status;
  }

  #refuseUnlocked(): void {
    if (this.#unlocked !== undefined) throw new AppError("store_failed", this.#unlocked);
  }

  /** After the YAML was deleted: the head records the deletion, and keeps the last number. */
  async #bury(id: string, numbers: readonly number[], { purge, keepState }: RemoveOptions): Promise<void> {
    const head = await this.#revisions.head(id).catch(ignoreDamage);
    const last = head?.last ?? numbers.at(-1) ?? 0;
    if (last === 0) return;
    try {
      const { revision = 0, incarnation = 0 } = head ?? {};
      // A flow that is deleted already keeps what it was to keep, unless it is purged.
      const keepsState = keepState === true || (head?.deleted === true && head.keepsState === true && purge !== true);
      const buried = { revision, last, state: "started", deleted: true, incarnation } as const;
      await this.#revisions.writeHead(id, { ...buried, ...(keepsState && { keepsState }) });
    } catch (error) {
      // The flow is deleted all the same, as it must be on a full disk; but no record may be deleted under a live head.
      if (purge || error instanceof TornWriteError) throw error;
    }
    if (purge && numbers.length > 0) await this.#revisions.purge(id, numbers);
  }

  async #headRevision(id: string): Promise<StoredRevision | undefined> {
    if (idProblem(id) !== undefined) return undefined;
    const head = await this.#revisions.head(id).catch(ignoreDamage);
    if (head === undefined || head.deleted) return undefined;
    const record = await this.#revisions.record(id, head.revision).catch(ignoreDamage);
    return record && { ...record, ...stateOf(head) };
  }

  #withDamage<File extends FlowFile>(file: File): File {
    const damage = this.#damage.get(file.id);
    return damage === undefined || file.problem !== undefined ? file : { ...file, problem: damage };
  }

  /** Every failure becomes an AppError. */
  #change<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#guard.change(area, change);
  }
}

async function wrapReadError<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw readError(error);
  }
}
