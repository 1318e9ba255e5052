/**
 * The changes that a store was asked for and has acknowledged: which states of a flow a restart may find, and which it
 * must.
 */
import type { DesiredState, FlowStore, Kept, RevisionContent } from "../../../src/control/stores/stores.ts";
import { AppError } from "../../../src/shared/errors.ts";

export type Action =
  | { readonly kind: "keep"; readonly id: string; readonly content: RevisionContent }
  | { readonly kind: "remove"; readonly id: string; readonly purge: boolean }
  | { readonly kind: "state"; readonly id: string; readonly state: DesiredState };

/** null: there is no such flow. */
export type FlowState = RevisionContent | null;

export interface Promised {
  /** The state that is served. */
  readonly now: FlowState;
  /** What a restart may find, after a loss of power too. */
  readonly allowed: readonly FlowState[];
  /** The highest number that was acknowledged. */
  readonly last: number;
  /** Acknowledged revisions that must be remembered. */
  readonly records: readonly { readonly revision: number; readonly yaml: string }[];
  /** Revisions up to this one must be forgotten. */
  readonly purged: number;
  /** An acknowledged DELETE came last: a file of this id that comes by hand is a new flow. */
  readonly deleted: boolean;
}

const nothing: Promised = { now: null, allowed: [null], last: 0, records: [], purged: 0, deleted: false };

export class Acknowledged {
  readonly #flows: Map<string, Promised>;

  constructor(flows: Iterable<readonly [string, Promised]> = []) {
    this.#flows = new Map(flows);
  }

  get(id: string): Promised {
    return this.#flows.get(id) ?? nothing;
  }

  get ids(): string[] {
    return [...this.#flows.keys()];
  }

  copy(): Acknowledged {
    return new Acknowledged(this.#flows);
  }

  /** For comparisons. */
  toJSON(): unknown {
    return [...this.#flows];
  }

  /** Makes a change, and derives from the answer what is promised; a process that died meanwhile gives none. */
  async act(store: FlowStore, action: Action, died: () => boolean = () => false): Promise<void> {
    const before = this.get(action.id);
    const then = after(before.now, action);
    const purging = action.kind === "remove" && action.purge;
    this.#flows.set(action.id, {
      ...before,
      allowed: [...before.allowed, then],
      records: purging ? [] : before.records,
      deleted: false,
    });
    try {
      const kept = await perform(store, action);
      if (died()) return;
      this.#flows.set(action.id, acknowledged(before, then, action, kept));
    } catch (error) {
      if (died()) return;
      if (!(error instanceof AppError) || error.message.includes("unknown error")) throw error;
      if (error.code === "not_found") this.#flows.set(action.id, before);
      // After a torn write, or half of a purge, the content of the disk is unknown.
      else if (store.status().writable && !purging) this.#flows.set(action.id, before);
      else if (!(await exists(store, action.id))) this.#flows.set(action.id, { ...this.get(action.id), now: null });
    }
  }

  /** A restart has found this: it is what is served from now on, and a loss of power does not take it back. */
  found(id: string, now: FlowState): void {
    this.#flows.set(id, { ...this.get(id), now, allowed: [now] });
  }
}

function after(now: FlowState, action: Action): FlowState {
  if (action.kind === "keep") return action.content;
  return action.kind === "remove" ? null : now && { ...now, state: action.state };
}

function acknowledged(before: Promised, now: FlowState, action: Action, kept: Kept | undefined): Promised {
  const { last, records, purged } = before;
  if (action.kind === "keep" && kept !== undefined) {
    if (kept.revision <= last) throw new Error(`revision ${kept.revision} was acknowledged after ${last}`);
    const record = { revision: kept.revision, yaml: action.content.yaml };
    return {
      ...{ now, allowed: [now] },
      last: kept.revision,
      records: [...records, record].slice(-10),
      purged,
      deleted: false,
    };
  }
  const purging = action.kind === "remove" && action.purge;
  const forgotten = purging ? { records: [], purged: last } : { records, purged };
  return { now, allowed: [now], last, ...forgotten, deleted: action.kind === "remove" };
}

async function perform(store: FlowStore, action: Action): Promise<Kept | undefined> {
  if (action.kind === "keep") return store.keep(action.id, action.content);
  if (action.kind === "remove") await store.remove(action.id, { purge: action.purge });
  else await store.setState(action.id, action.state);
  return undefined;
}

async function exists(store: FlowStore, id: string): Promise<boolean> {
  return (await store.read(id)) !== undefined;
}
