/**
 * The operations of the state store by subject: what control asks and what is answered. The classes of the state thread implement them
 * (`subjects.ts`); control calls them through `StateStore`.
 */
import type { RepositoryKind } from "../../shared/state.ts";
import type { FailedOperations } from "./failed-operations.ts";
import type { GroupOperations } from "./group-operations.ts";
import type { Owner } from "./owner.ts";

export type { Owner };

/** `taken`: a message under way has it, and may free it again; `stored`: it was processed. */
export type KeyState = "none" | "taken" | "stored";

/** Keys of idempotent repositories, in the form of `stateKey` (shared/state.ts). */
export interface KeyOperations {
  /**
   * Takes a key for a message under way, unless another message has it. A key that a run of `earlier` has stored
   * counts as new. Fails with `limit` when the flow has no room for another key, unless the repository `evicts` its oldest.
   * `claimant`: the number of the thread that has the message.
   */
  claim(
    owner: Owner,
    name: string,
    key: string,
    claimant: number,
    evicts: boolean,
    earlier: readonly string[],
  ): Exclude<KeyState, "none"> | "new";
  /** Returns what is known of a key, and takes nothing. */
  look(owner: Owner, name: string, key: string, earlier: readonly string[]): KeyState;
  /** Stores the key for good and frees its claim. Fails with `limit` as `claim` does when the key was not claimed. */
  confirm(owner: Owner, name: string, key: string, evicts: boolean, run: string): void;
  /** Frees the claim of the key, and removes the key if it is stored. */
  release(owner: Owner, name: string, key: string): void;
  /** Frees all claims of a thread that is gone. */
  abandon(owner: Owner, claimant: number): void;
}

/** Values of keys, the latter in the form of `stateKey` (shared/state.ts). */
export interface ValueOperations {
  /** Returns the value of a key; undefined: the key is absent. "" may be a key that an older runtime has kept, without a value. */
  get(owner: Owner, name: string, key: string): string | undefined;
  /**
   * Puts the value of a key if the key has the `expected` one; undefined: if the key is absent. Returns the value that the key has then:
   * another one than `value` means that nothing has changed. Fails with `limit` when the flow has no room, unless the repository `evicts` its oldest.
   */
  putIf(
    owner: Owner,
    name: string,
    key: string,
    expected: string | undefined,
    value: string,
    evicts: boolean,
  ): string | undefined;
  /** Removes a key and its value. */
  delete(owner: Owner, name: string, key: string): void;
}

/** Repositories of all kinds, as the management API sees them. */
export interface RepositoryOperations {
  list(owner: Owner): readonly Repository[];
  /** Returns the keys that begin with `prefix`, in their order; undefined: there is no such repository. */
  keys(owner: Owner, name: string, prefix: string, limit: number): readonly KeptKey[] | undefined;
  /** Removes one key. Returns 1; 0: the repository does not have it; undefined: there is no such repository. */
  removeKey(owner: Owner, name: string, key: string): number | undefined;
  /** Removes a repository with all its keys. Returns their number; undefined: there is no such repository. */
  remove(owner: Owner, name: string): number | undefined;
}

export interface Repository {
  readonly kind: RepositoryKind;
  readonly name: string;
  readonly keys: number;
  readonly bytes: number;
  /** Epoch ms of the oldest key; undefined: there is none. */
  readonly oldest: number | undefined;
}

export interface KeptKey {
  readonly key: string;
  /** Epoch ms. */
  readonly at: number;
  /** The run that has stored it; "": no run has. */
  readonly run: string;
  /** null: it has none, as in repositories of other kinds than `values`. */
  readonly value: string | null;
}

export interface OwnerOperations {
  /** Removes all that is kept for the flow, of all subjects. */
  forget(owner: Owner): void;
}

/** All subjects. A subject is one interface here, one class in the state thread, and one line in `operationTable`. */
export interface Subjects {
  readonly keys: KeyOperations;
  readonly values: ValueOperations;
  readonly repositories: RepositoryOperations;
  readonly owners: OwnerOperations;
  readonly failed: FailedOperations;
  readonly groups: GroupOperations;
}

/**
 * Whether an operation changes the database: `writes` is answered after the commit, `reads` at once; `erases` is answered when nothing of
 * what it has removed is in the file. An operation that reads may change what the thread has in memory.
 */
type Effect = "reads" | "writes" | "erases";

export const operationTable: { readonly [S in keyof Subjects]: { readonly [O in keyof Subjects[S]]: Effect } } = {
  keys: { claim: "reads", look: "reads", confirm: "writes", release: "writes", abandon: "reads" },
  values: { get: "reads", putIf: "writes", delete: "writes" },
  repositories: { list: "reads", keys: "reads", removeKey: "erases", remove: "erases" },
  owners: { forget: "erases" },
  failed: {
    accept: "writes",
    add: "writes",
    failed: "writes",
    done: "writes",
    begin: "writes",
    giveBack: "writes",
    list: "reads",
    get: "reads",
    waiting: "reads",
    discard: "erases",
    tidy: "writes",
    totals: "reads",
  },
  groups: {
    open: "writes",
    read: "reads",
    append: "writes",
    complete: "writes",
    drop: "writes",
    fail: "writes",
    abandon: "reads",
    foreign: "reads",
  },
};

/** Why an operation has failed, as it leaves the state thread. */
export type FailureCode = "limit" | "disk_full" | "store_failed";

export class StateFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = "StateFailure";
    this.code = code;
  }
}
