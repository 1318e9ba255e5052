/** What survives a restart, and what each store promises. Files and memory implement it; a distributed store could. */
import { hash } from "node:crypto";
import type { FlowOptions } from "./flow-options.ts";

/** Whether the operator wants the flow to run; survives a restart. */
export type DesiredState = "started" | "stopped";

/** The content of one deployment. */
export interface RevisionContent extends FlowOptions {
  readonly yaml: string;
  /** The set of the deployment that brought the flow; absent: it was not brought by one. */
  readonly set?: string | undefined;
  readonly state: DesiredState;
}

/** A kept revision. Numbers begin at 1 and never restart, not even after a DELETE. */
export interface StoredRevision extends RevisionContent {
  readonly revision: number;
  /** Lower-case hexadecimal SHA-256 of the YAML's UTF-8 bytes. */
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
  /**
   * Which of the flows of this id it belongs to: the revision with which that one was made, after a DELETE or as the first; 0 for one that is
   * older than this number. What the flow keeps between its messages belongs to it (`control/state`).
   */
  readonly incarnation: number;
}

/** A flow that can be deployed, as `load` found it at boot. */
export interface StoredFlow extends StoredRevision {
  readonly id: string;
  /** The file's time of modification, ISO 8601, UTC. */
  readonly lastModified: string;
  /** A warning for the operator; the flow was loaded all the same. */
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
  /** The hash of the file's present bytes; "" when they could not be read. */
  readonly hash: string;
  readonly bytes: number;
  /** The hash of its companion's present bytes; absent: it has none. */
  readonly companion?: string | undefined;
  /** Why the file is not a flow and what to do, such as how to rename it; absent: it can be deployed. */
  readonly problem?: string;
}

/** A file beside a flow's, such as its companion `orders.flow.yaml`, as it is now. */
export interface CompanionText {
  /** "" when it has a problem. */
  readonly text: string;
  readonly hash: string;
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** What lies beside a flow's file in the routes directory; absent: the file does not exist. */
export interface FilesBeside {
  readonly companion?: CompanionText | undefined;
  /** `documents/auth/<id>.json`. */
  readonly policy?: CompanionText | undefined;
}

/** Reads at boot what lies beside a flow's file, and puts its policy in force. Throws AppError flow_invalid. undefined: there is no companion. */
export type AdoptBeside = (id: string, beside: FilesBeside) => Promise<FlowOptions | undefined>;

/** A flow's file as it is now, and the revision that was kept last (null: the file was never loaded). */
export interface FlowText extends FlowFile {
  readonly yaml: string;
  readonly head: StoredRevision | null;
}

/** The revision that `keep` has made. */
export interface Kept {
  readonly revision: number;
  readonly hash: string;
  /** ISO 8601, UTC. */
  readonly lastModified: string;
  readonly incarnation: number;
}

/** What a removal forgets beside the flow. */
export interface RemoveOptions {
  /** true: the revisions, too; only their last number is kept. */
  readonly purge?: boolean | undefined;
  /** true: a flow that is made again under the id has the same incarnation. */
  readonly keepState?: boolean | undefined;
  /** true: the YAML stays. It is a new flow when it is next loaded. */
  readonly keepFile?: boolean | undefined;
}

/** A revision that was written and is not the flow yet. One of both is called, once, before anything else changes the flow. */
export interface PreparedRevision {
  /** The commit point: rejects with what was stored before in place. */
  commit(): Promise<Kept>;
  /** Leaves what was stored before. Never rejects. */
  discard(): Promise<void>;
}

export interface StoreStatus {
  readonly writable: boolean;
  /** Why nothing can be written, at the moment or until a restart; the text includes which. */
  readonly reason?: string;
  /** true: another process may have the directories, so nothing is changed any more. */
  readonly lost?: boolean;
}

/**
 * The flows: their YAML in the routes directory, the rest beside it in the data directory.
 *
 * A promise that fulfils means: the change is on the disk and survives a loss of power. One that rejects with
 * `disk_full` or `store_failed` means: what was stored before still is. Other refusals are AppErrors too (`bad_id`,
 * `not_found`, `id_case_clash`, `body_too_large`).
 *
 * Callers make changes of one id, in whatever case, one after the other.
 */
export interface FlowStore {
  /**
   * `adopt`: reads what lies beside flows that were edited by hand; absent: it is not read.
   *
   * Called once, at boot: removes what an interrupted write left, reconciles file, revisions and head, and returns the
   * flows in the order of their ids. A file that cannot be loaded is left as it is and listed with its problem. Once
   * `stopped` is aborted no further flow is read or recorded; those so far are returned.
   */
  load(stopped?: AbortSignal, adopt?: AdoptBeside): Promise<readonly StoredFlow[]>;
  /** Reads the files beside a flow's. */
  beside(id: string): Promise<FilesBeside>;
  /** Lists the YAML files as they are now, in the order of their names. */
  list(): Promise<readonly FlowFile[]>;
  /** Reads a flow's file; undefined: it does not exist. A file with a problem has the text "". */
  read(id: string): Promise<FlowText | undefined>;
  /** Returns the last ten revisions, newest first; they survive a DELETE without purge. */
  revisions(id: string): Promise<readonly StoredRevision[]>;
  /** The commit point of a deployment: makes a new revision and writes its YAML, both or neither. */
  keep(id: string, content: RevisionContent): Promise<Kept>;
  /** The part of `keep` that changes nothing for a restart, and takes most of its time: other work goes on meanwhile. Rejects as `keep` does. */
  prepare(id: string, content: RevisionContent): Promise<PreparedRevision>;
  setState(id: string, state: DesiredState): Promise<void>;
  /** Deletes the YAML, with `purge` the revisions as well. */
  remove(id: string, options?: RemoveOptions): Promise<void>;
  /** Returns the incarnation of the flow; of a deleted one that of the flow that is made next. undefined: none was ever recorded. */
  incarnation(id: string): Promise<number | undefined>;
  status(): StoreStatus;
}

/** Returns the incarnation of the next revision. `last`: that of the last record, where the head cannot be read. */
export function incarnationOf(
  head:
    | { readonly incarnation: number; readonly deleted: boolean; readonly keepsState?: boolean | undefined }
    | undefined,
  last: number | undefined,
  revision: number,
): number {
  if (head === undefined) return last ?? revision;
  return head.deleted && head.keepsState !== true ? revision : head.incarnation;
}

/** How many revisions of each flow are kept. */
export const revisionsKept = 10;

/** Lower-case hexadecimal SHA-256; of a string, that of its UTF-8 bytes. */
export function contentHash(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}
