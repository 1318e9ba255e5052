/** The operations of the state store on the groups of `aggregate` steps: what control asks, and what is answered. */
import type { Added, MessageFailure, NewMessage } from "./failed-operations.ts";
import type { Owner } from "./owner.ts";

/** A message that joins a group. */
export interface JoiningMessage {
  /** The group's id, which the thread that begins the group chooses. */
  readonly group: string;
  /** The correlation key as `stateKey` makes it (shared/state.ts). */
  readonly key: string;
  /** How many messages the group had before this one, as the asker knows it. */
  readonly messages: number;
  /** When the group is completed by time-out, in epoch ms; 0: never. */
  readonly deadline: number;
  /** What completes the group with this message; "": it stays open. */
  readonly by: string;
  /** Other groups that the message completes. */
  readonly others: readonly GroupEnd[];
  /** What the step makes of messages; groups of another one cannot be continued. */
  readonly fingerprint: string;
}

/** `messages`: how many the asker knows of. */
export type GroupEnd = readonly [group: string, messages: number, by: string];

/** `completed`: the cause, of a group whose steps have to run; "": it is open. `takeovers`: how often they were to run anew. */
export type OpenedGroup = readonly [
  group: string,
  key: string,
  messages: number,
  deadline: number,
  completed: string,
  takeovers: number,
];

/** `stale`: a group is not as the asker knows it, since another thread has changed it. Nothing was done. */
export type GroupAnswer = "" | "stale";

export interface GroupOperations {
  /**
   * Returns the groups of a repository, as JSON of `OpenedGroup`s in the order in which they began, but not those whose steps another thread runs.
   * Completed ones belong to the claimant from here on, and are counted as taken over if they did not before. Fails when there are groups of another fingerprint.
   */
  open(owner: Owner, name: string, claimant: number, fingerprint: string): string;
  /**
   * Returns messages of these groups, each behind the place of its group in the list and its length (4 bytes, little endian): as many as an
   * answer may have, at least one. `reads`: `[group, number of its first message]`.
   */
  read(owner: Owner, name: string, reads: readonly (readonly [group: string, from: number])[]): Uint8Array;
  /** Adds a message, and completes the groups that it completes; those belong to the claimant. Fails with `limit`. */
  append(owner: Owner, name: string, claimant: number, message: JoiningMessage, bytes: Uint8Array): GroupAnswer;
  /** Completes groups, which belong to the claimant from here on. */
  complete(owner: Owner, name: string, claimant: number, ends: readonly GroupEnd[]): GroupAnswer;
  /** Removes groups: their steps have run, or they are discarded. */
  drop(owner: Owner, name: string, groups: readonly string[]): void;
  /** Keeps the message of a completed group whose run has failed, and removes the group. */
  fail(owner: Owner, name: string, group: string, message: NewMessage, failure: MessageFailure): Added;
  /** A thread is gone: its completed groups are nobody's. Returns the repositories that have such groups. */
  abandon(owner: Owner, claimant: number): readonly string[];
  /** Returns how many groups have another fingerprint, but not those whose steps a thread runs. */
  foreign(owner: Owner, name: string, fingerprint: string): number;
}

/** Why groups cannot be continued, and what can be done. */
export function foreignGroups(count: number, flowId: string, name: string): string {
  const what = `'${name}' keeps ${count} groups that another strategy or correlation expression has begun`;
  const drain = "let them be completed by the revision before (completionTimeout, or forceCompletionOnStop)";
  const discard = `discard them with DELETE /_api/flows/${flowId}/state/${encodeURIComponent(name)}`;
  return `${what}: ${drain}, ${discard}, or give the step another id or repository`;
}
