/**
 * What a connector gives for a source that polls: the messages that it finds, and how they are settled. The runtime owns the rest: it looks
 * by its clock, runs one message after another, counts, pauses and reports.
 */
import type { DeliveriesOf } from "../deliveries.ts";
import type { ClockOptions } from "../poll-clock.ts";
import type { Ended, Taken } from "./attended.ts";

export interface Polled<T extends Taken> extends DeliveriesOf {
  readonly options: PollOptions;
  /** true: its messages are not counted after a loss. */
  readonly uncounted?: boolean;
  /** true: a run that has failed ends the poll. */
  readonly failureEndsPoll?: boolean;
  /** What stands before the reason in the failure of a poll, such as `files cannot be looked for`. */
  readonly failure?: string;
  /** Looks for messages. `stop`: aborted when the source takes no more messages, until the next poll. */
  poll(stop: AbortSignal): Promise<Page<T>>;
  /** Called for each message that was claimed. Rejects when the poll cannot go on. */
  settle(ended: Ended<T>): Promise<void>;
}

export interface PollOptions extends ClockOptions {
  readonly sendEmptyMessageWhenIdle: boolean;
  readonly bridgeErrorHandler?: boolean;
}

/** What a poll has found. */
export interface Page<T extends Taken> {
  /** How many messages. */
  readonly size: number;
  /** true: further ones wait, whose number is not known. */
  readonly isPart?: boolean;
  /** Takes the message of this index; undefined: it is gone, or cannot be taken now. Rejects when the poll cannot go on. */
  claim(index: number): Promise<T | undefined> | T;
  /** Gives back those from this index on, which were not claimed. */
  leave?(from: number): Promise<void>;
  /** All of at least one message have been offered. Resolves true when further ones are to be looked for at once. */
  end?(): Promise<boolean>;
}
