/** The operations of the state store on failed messages: what control asks, and what is answered. */
import type { Owner } from "./owner.ts";

/** A message whose run has failed, or is under way after its sender was answered. */
export interface NewMessage {
  readonly id: string;
  readonly routeId: string;
  readonly revision: number;
  /** Epoch ms. */
  readonly at: number;
  readonly runId: string;
  /** The run's trigger as JSON, with its principal. */
  readonly trigger: string;
  /** How the message begins a run again, as JSON; what is secret in the message is in `body` and `head` only. */
  readonly form: string;
  /** Headers and the rest of the message beside its body. */
  readonly head: string;
  readonly body: string | Uint8Array | null;
  /** What equal messages have in common beside their body. */
  readonly alike: string;
}

/** Why a run has failed, at its end. */
export interface MessageFailure {
  readonly runId: string;
  readonly at: number;
  /** `{type, message, stepId, line}` as JSON. */
  readonly error: string;
  /** true: it ended in a dead letter channel. */
  readonly deadLetter: boolean;
}

export type FailedState = "waiting" | "retrying" | "retried" | "discarded";

export interface FailedSummary {
  readonly id: string;
  readonly routeId: string;
  readonly revision: number;
  /** Epoch ms of the last failure. */
  readonly at: number;
  /** The last run with the message. */
  readonly runId: string;
  readonly trigger: string;
  readonly error: string;
  /** How many runs of the message have failed; 0: its first run is under way. */
  readonly attempts: number;
  /** How many equal messages have failed in the same way. */
  readonly count: number;
  readonly bytes: number;
  readonly state: FailedState;
  readonly deadLetter: boolean;
}

/** What is left of a message that was retried or discarded has no content. */
export interface FailedContent {
  readonly form: string;
  readonly head: string;
  readonly body: string | Uint8Array | null;
  /** The runs that the message has had, the latest last. */
  readonly runs: readonly string[];
}

/** Each part that is left out matches all. Moments are epoch ms: since <= at < before. */
export interface FailedFilter {
  readonly routeId?: string | undefined;
  readonly state?: FailedState | undefined;
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** The most messages and bytes of a flow, and how long (ms) they are kept. */
export interface FailedBounds {
  readonly mostMessages: number;
  readonly mostBytes: number;
  readonly keptMs: number;
}

/** What has made room for a message. */
export interface Evicted {
  readonly routeId: string;
  readonly messages: number;
}

export interface Added {
  /** The entry that has the message now: its own, or that of an equal message. */
  readonly id: string;
  readonly count: number;
  readonly evicted: readonly Evicted[];
}

export interface FailedTotals {
  readonly waiting: number;
  readonly retrying: number;
  readonly bytes: number;
  /** Epoch ms of the oldest that waits. */
  readonly oldest: number | undefined;
}

export interface FailedOperations {
  /** Keeps a message whose sender is answered before its run is over: `retrying`, with no attempt that has failed. */
  accept(owner: Owner, message: NewMessage): void;
  /** Keeps a message whose run has failed. An equal one that waits with the same error gets a higher count instead. */
  add(owner: Owner, message: NewMessage, failure: MessageFailure): Added;
  /** A run of a kept message has failed: it waits. Returns undefined when the message is not kept any more. */
  failed(owner: Owner, id: string, failure: MessageFailure): Added | undefined;
  /** A run of a kept message has succeeded. A message that never failed is removed. */
  done(owner: Owner, id: string): void;
  /** Begins a retry. Returns the message; `busy` when a run of it is under way; undefined when it is not there to retry. */
  begin(owner: Owner, id: string, runId: string): (FailedSummary & FailedContent) | "busy" | undefined;
  /** Gives back a message whose retry could not begin. */
  giveBack(owner: Owner, id: string): void;
  /** Returns those that match, newest first. */
  list(owner: Owner, filter: FailedFilter, limit: number): readonly FailedSummary[];
  get(owner: Owner, id: string): (FailedSummary & FailedContent) | undefined;
  /** Returns the ids of those that wait and match, oldest first. */
  waiting(owner: Owner, filter: FailedFilter): readonly string[];
  /** Discards those that wait and match; their content is removed. Returns how many. */
  discard(owner: Owner, filter: FailedFilter): number;
  /** Removes what is older than may be kept, and, if `most` is given, messages that wait until the flow has at most so many bytes. */
  tidy(owner: Owner, most: number | undefined): readonly Evicted[];
  totals(owner: Owner): FailedTotals;
}
