/**
 * Loads flows at boot: removes what interrupted writes left, and makes one state of each flow's file, revisions and
 * head.
 */
import { AppError } from "../../shared/errors.ts";
import { draftRevision, type YamlPlace } from "./commit-revision.ts";
import { noOptions, optionsOf } from "./flow-options.ts";
import type { Head, RevisionFiles } from "./revision-files.ts";
import type { RoutesDirectory } from "./routes-directory.ts";
import { DamagedError, errorCode, isRefused, TornWriteError } from "./store-error.ts";
import {
  type AdoptBeside,
  incarnationOf,
  type RevisionContent,
  type StoredFlow,
  type StoredRevision,
} from "./stores.ts";

export interface Loaded {
  readonly flows: readonly StoredFlow[];
  /** Why a flow whose file is good was left out, by id. */
  readonly damage: ReadonlyMap<string, string>;
  /** Why a flow whose companion is not in order was left out, by id. */
  readonly refused: ReadonlyMap<string, string>;
  /** The failure of a write that could neither be made durable nor undone; undefined: there was none. */
  readonly torn: TornWriteError | undefined;
}

interface FlowYaml {
  readonly id: string;
  readonly yaml: string;
  readonly hash: string;
  readonly lastModified: string;
}

/** How many flows are loaded at the same time; more would only wait for the threads of the file system. */
const loadedTogether = 16;

export class FlowLoader {
  readonly #routes: RoutesDirectory;
  readonly #revisions: RevisionFiles;
  readonly #adoptBeside: AdoptBeside | undefined;
  readonly #damage = new Map<string, string>();
  readonly #refused = new Map<string, string>();
  /** Flows whose companion was a flow of its own. */
  readonly #former = new Map<string, string>();
  #torn: TornWriteError | undefined;

  constructor(routes: RoutesDirectory, revisions: RevisionFiles, adoptBeside?: AdoptBeside) {
    this.#adoptBeside = adoptBeside;
    this.#routes = routes;
    this.#revisions = revisions;
  }

  /** Rejects only when the routes directory cannot be read. */
  async load(stopped?: AbortSignal): Promise<Loaded> {
    await this.#routes.prepare();
    await this.#settle(() => this.#routes.sync());
    const files = await this.#routes.list();
    await this.#sweep(new Set(files.map(({ id }) => id)));
    for (const id of await this.#routes.withCompanion()) await this.#noteFormerFlow(id);
    const ids = files.filter(({ problem }) => problem === undefined).map(({ id }) => id);
    const flows: StoredFlow[] = [];
    for (let from = 0; from < ids.length && !stopped?.aborted; from += loadedTogether) {
      const batch = await Promise.all(ids.slice(from, from + loadedTogether).map((id) => this.#load(id)));
      flows.push(...batch.filter((flow) => flow !== undefined));
    }
    return { flows, damage: this.#damage, refused: this.#refused, torn: this.#torn };
  }

  /** Syncs first: what is found then survives a loss of power, even if a killed process did not get to its sync. */
  async #settle(sync: () => Promise<void>): Promise<void> {
    try {
      await sync();
    } catch (error) {
      if (!isRefused(error)) this.#torn = new TornWriteError(error);
    }
  }

  /** A flow of an earlier version may have had a name that is that of a companion today. */
  async #noteFormerFlow(id: string): Promise<void> {
    const head = await this.#revisions.head(`${id}.flow`).catch(() => undefined);
    if (head === undefined || head.deleted) return;
    const message =
      `'${id}.flow.yaml' was the flow '${id}.flow' and is not loaded: ids do not end with '.flow', and the file is taken for the ` +
      `companion of '${id}.yaml'. Rename it if it is a flow`;
    this.#former.set(id, message);
  }

  /** Removes temp files, and records of flows whose first PUT ended before its YAML was written. */
  async #sweep(withFile: ReadonlySet<string>): Promise<void> {
    for (const id of await this.#revisions.ids().catch(() => [])) {
      await this.#revisions.sweepTemps(id).catch(() => undefined);
      if (!withFile.has(id)) await this.#forgetUnfinished(id).catch(() => undefined);
    }
  }

  async #forgetUnfinished(id: string): Promise<void> {
    const last = (await this.#revisions.head(id))?.last ?? 0;
    const numbers = await this.#revisions.numbers(id);
    await this.#revisions.forget(
      id,
      numbers.filter((revision) => revision > last),
    );
  }

  async #load(id: string): Promise<StoredFlow | undefined> {
    try {
      const file = await this.#routes.read(id);
      if (file === undefined || file.problem !== undefined) return undefined;
      await this.#settle(() => this.#revisions.sync(id));
      return await this.#reconcile(file);
    } catch (error) {
      if (error instanceof AppError) {
        this.#refused.set(id, error.message);
        return undefined;
      }
      const damaged = error instanceof DamagedError;
      this.#damage.set(id, damaged ? `${error.message}: deploy it again` : `it cannot be loaded (${errorCode(error)})`);
      return undefined;
    }
  }

  async #reconcile(file: FlowYaml): Promise<StoredFlow> {
    const { id } = file;
    const head = await this.#revisions.head(id);
    const current = await this.#current(id, head);
    const agreed = current !== undefined && current.hash === file.hash;
    const records = agreed ? [current] : await this.#revisions.records(id, await this.#revisions.numbers(id));
    const found = reconcile(file, head, records);
    const former = this.#former.get(id);
    if (former !== undefined) return { ...(await this.#settled(file, head, found)), warning: former };
    return this.#settled(file, head, found);
  }

  /** Makes the state on the disk that was found to be the flow's. */
  async #settled(file: FlowYaml, head: Head | undefined, found: Reconciled): Promise<StoredFlow> {
    const { id, lastModified } = file;
    if (found.kind === "edited") return this.#adopt(file, head, await this.#withBeside(id, found.content));
    const warning = found.head === head ? undefined : await this.#moveHead(id, found.head);
    // The head could not be moved: only the record knows this revision, so it stays.
    if (warning === undefined) await this.#forgetUnfinished(id).catch(() => undefined);
    return { id, lastModified, ...found.record, ...stateOf(found.head), ...(warning !== undefined && { warning }) };
  }

  /** Reads the head's record, which must exist unless the flow was deleted. */
  async #current(id: string, head: Head | undefined): Promise<StoredRevision | undefined> {
    if (head === undefined || head.deleted) return undefined;
    const record = await this.#revisions.record(id, head.revision);
    if (record === undefined) throw new DamagedError(`the record of revision ${head.revision} is missing`);
    return record;
  }

  /** Its policy is in force before the revision is made: a boot that is cut off in between reads both again. Throws AppError flow_invalid. */
  async #withBeside(id: string, content: RevisionContent): Promise<RevisionContent> {
    const options = await this.#adoptBeside?.(id, await this.#routes.beside(id));
    if (options === undefined) return content;
    const { yaml, state, set } = content;
    return { yaml, state, ...(set !== undefined && { set }), ...options };
  }

  /** Makes a revision of a file that was written by hand; the file stays as it is. */
  async #adopt(file: FlowYaml, head: Head | undefined, content: RevisionContent): Promise<StoredFlow> {
    const { id, hash, lastModified } = file;
    const nothing = () => Promise.resolve();
    const draft = {
      modifiedMs: Date.parse(lastModified),
      move: undefined,
      place: async () => nothing,
      discard: nothing,
    };
    const untouched: YamlPlace = { mayTake: nothing, draft: async () => draft };
    const flow = { id, hash, lastModified, ...content, savedAt: new Date().toISOString() };
    try {
      const { revision, incarnation } = await (await draftRevision(this.#revisions, id, content, untouched)).commit();
      await this.#forgetUnfinished(id).catch(() => undefined);
      return { ...flow, revision, incarnation };
    } catch (error) {
      const revision = (head?.last ?? 0) + 1;
      const incarnation = incarnationOf(head, undefined, revision);
      return { ...flow, revision, incarnation, warning: this.#describeUnrecorded(error, revision) };
    }
  }

  async #moveHead(id: string, head: Head): Promise<string | undefined> {
    try {
      await this.#revisions.writeHead(id, head);
      return undefined;
    } catch (error) {
      return this.#describeUnrecorded(error, head.revision);
    }
  }

  #describeUnrecorded(error: unknown, revision: number): string {
    if (error instanceof TornWriteError) this.#torn = error;
    return `revision ${revision} could not be recorded in the data directory (${errorCode(error)})`;
  }
}

/** What the head knows better than the record of its revision. */
export function stateOf({ state, incarnation }: Head): Pick<StoredRevision, "state" | "incarnation"> {
  return { state, incarnation };
}

/** The state of a flow after a restart, derived from its file, its revisions and its head. */
export type Reconciled =
  /** The file is a revision that was kept; the head is moved to it if it points elsewhere. */
  | { readonly kind: "kept"; readonly record: StoredRevision; readonly head: Head }
  /** The file was written by hand, and becomes a new revision. */
  | { readonly kind: "edited"; readonly content: RevisionContent };

/**
 * `records`: the readable ones in ascending order; the head's is among them unless the flow was deleted. If head and
 * file agree, the head is the state. Else it is the newest revision with the file's hash: a keep was interrupted after
 * its rename, or an old version was put back by hand. Else the file was edited by hand, and keeps the head's options
 * and state.
 */
export function reconcile(
  file: { readonly yaml: string; readonly hash: string },
  head: Head | undefined,
  records: readonly StoredRevision[],
): Reconciled {
  const live = head?.deleted ? undefined : head;
  const current = records.find(({ revision }) => revision === live?.revision);
  if (live !== undefined && current?.hash === file.hash) return { kind: "kept", record: current, head: live };

  const last = head?.last ?? 0;
  const same = records.findLast((record) => record.hash === file.hash);
  if (same !== undefined) {
    const interrupted = same.revision > last;
    if (interrupted || live !== undefined) {
      const state = interrupted || live === undefined ? same.state : live.state;
      const { incarnation } = live ?? same;
      const moved = {
        revision: same.revision,
        last: Math.max(last, same.revision),
        state,
        deleted: false,
        incarnation,
      };
      return { kind: "kept", record: same, head: moved };
    }
  }
  const state = live?.state ?? "started";
  return {
    kind: "edited",
    content: { yaml: file.yaml, ...optionsOf(current ?? noOptions), set: current?.set, state },
  };
}
