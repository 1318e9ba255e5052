/** What is kept over a restart, and what each store promises; files and memory implement it, a distributed store may. */
import type { Params } from "../../shared/check.ts";

/** Whether the operator wants the flow to run; it lasts over a restart. */
export type DesiredState = "started" | "stopped";

/** A flow's own limits as they were sent: names of the limits table, and `record`, `isolation` and `logHandled`. */
export type StoredLimits = Readonly<Record<string, number | string | boolean>>;

/** What one deployment was made of. */
export interface RevisionContent {
  readonly yaml: string;
  readonly params: Params;
  readonly limits: StoredLimits;
  readonly state: DesiredState;
}

/** A kept revision. Numbers begin at 1 and never restart, not even after a DELETE. */
export interface StoredRevision extends RevisionContent {
  readonly revision: number;
  /** Lower-case hexadecimal SHA-256 of the YAML's UTF-8 bytes. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A flow that can be deployed, as `load` found it at boot. */
export interface StoredFlow extends StoredRevision {
  readonly id: string;
  /** The file's time of modification, ISO 8601, UTC. */
  readonly lastModified: string;
  /** Something that the operator should know and that did not stop the flow from loading. */
  readonly warning?: string;
}

/** A YAML file directly in the routes directory, whether or not it can be a flow. */
export interface FlowFile {
  /** The flow's id; the whole file name when that is not `<id>.yaml`. */
  readonly id: string;
  /** The file's name in the routes directory. */
  readonly file: string;
  /** ISO 8601, UTC. */
  readonly lastModified: string;
  /** Of the file's bytes as they are now; "" when they could not be read. */
  readonly hash: string;
  readonly bytes: number;
  /** Why the file is not a flow and what to do, such as the rename to make; absent: it can be deployed. */
  readonly problem?: string;
}

/** A flow's file as it is now, and the revision that was kept last (null: the file has not been loaded yet). */
export interface FlowText extends FlowFile {
  readonly yaml: string;
  readonly head: StoredRevision | null;
}

/** What a `keep` made. */
export interface Kept {
  readonly revision: number;
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly lastModified: string;
}

export interface StoreStatus {
  readonly writable: boolean;
  /** Why nothing can be written: for now, or until the runtime is restarted, which it says. */
  readonly reason?: string;
  /** Another process may have the directories: nothing is changed any more. */
  readonly lost?: boolean;
}

/**
 * The flows: their YAML in the routes directory, the rest beside it in the data directory.
 *
 * A promise that fulfils means: it is on the disk, and a loss of power does not take it back. One that rejects with
 * `disk_full` or `store_failed` means: what was there before is there still. Other refusals are AppErrors too
 * (`bad_id`, `not_found`, `id_case_clash`, `body_too_large`).
 *
 * Changes of one id, in whatever case, come one after the other: whoever asks sees to that.
 */
export interface FlowStore {
  /**
   * Once, at boot: removes what an interrupted write left, reconciles file, revisions and head, and returns the flows
   * in the order of their ids. A file that cannot be loaded is left alone and listed with its problem.
   * Once `stopped` is aborted no further flow is read or recorded; those so far are returned.
   */
  load(stopped?: AbortSignal): Promise<readonly StoredFlow[]>;
  /** The YAML files as they are now, in the order of their names. */
  list(): Promise<readonly FlowFile[]>;
  /** undefined: there is no such file. A file with a problem has the text "". */
  read(id: string): Promise<FlowText | undefined>;
  /** The last ten revisions, newest first; they outlive a DELETE without purge. */
  revisions(id: string): Promise<readonly StoredRevision[]>;
  /** The commit point of a deployment: makes a new revision and puts its YAML in place, both or neither. */
  keep(id: string, content: RevisionContent): Promise<Kept>;
  setState(id: string, state: DesiredState): Promise<void>;
  /** Deletes the YAML; with `purge` the revisions as well. Only their number is remembered. */
  remove(id: string, options?: { readonly purge?: boolean | undefined }): Promise<void>;
  status(): StoreStatus;
}

/** Revisions that are kept of each flow. */
export const revisionsKept = 10;
