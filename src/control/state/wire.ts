/**
 * The messages between control and the state thread: flat lists of requests one way, of answers the other. Structured clone is fast with
 * flat lists, and slow with objects.
 */
import type { FailedBounds } from "./failed-operations.ts";
import type { FailureCode, Owner } from "./operations.ts";

/** What the thread is started with. */
export interface StateThreadData {
  /** Where the groups' files are; undefined: nothing outlives the process. */
  readonly directory: string | undefined;
  /** The most keys and bytes of a flow. */
  readonly mostKeys: number;
  readonly mostBytes: number;
  readonly failed: FailedBounds;
  /** Another one for each process. */
  readonly session: string;
  /** Keys of 32 bytes: messages are encrypted with the first, and read with any of them. */
  readonly dataKeys: readonly [Uint8Array, ...Uint8Array[]];
}

/** `[id, group, "subject.operation", flowId, incarnation, number of arguments, ...arguments]`, one after the other. */
export type Requests = unknown[];

export interface Request {
  readonly id: number;
  /** The name of the group's file, without its ending. */
  readonly group: string;
  readonly operation: string;
  readonly owner: Owner;
  readonly args: readonly unknown[];
}

export function pushRequest(requests: Requests, { id, group, operation, owner, args }: Request): void {
  requests.push(id, group, operation, owner.flowId, owner.incarnation, args.length, ...args);
}

export function* readRequests(requests: Requests): Generator<Request> {
  for (let at = 0; at < requests.length; ) {
    const [id, group, operation, flowId, incarnation, count] = requests.slice(at, at + 6) as [
      number,
      string,
      string,
      string,
      number,
      number,
    ];
    at += 6 + count;
    yield { id, group, operation, owner: { flowId, incarnation }, args: requests.slice(at - count, at) };
  }
}

/** `[id, "", value]` or `[id, code, message]`; id 0 is news of a group: `[0, kind, GroupNews]`. */
export type Answers = unknown[];

export type AnswerKind = "" | FailureCode | NewsKind;

/**
 * - set_aside: the group's file is damaged and has another name now; the group goes on with a new one
 * - full: the disk has no room for what the group writes
 * - failing: the group's file cannot be opened, read or written
 * - worked: a `WorkReport` (work-report.ts), of all groups
 * - opened: the group's file is open; `owners` are those that it has something of
 * - well: the group's last problem, of the last two kinds, is over
 */
export type NewsKind = "worked" | "opened" | "set_aside" | "full" | "failing" | "well";

export interface GroupNews {
  readonly group: string;
  readonly message: string;
  readonly owners?: readonly Owner[];
}

/** In place of an operation: copies the group's file to the path in the first argument. Answered when that is done; other requests go on. */
export const copying = "copy";

/** The last message to the thread: it works off what it has, closes all files, and ends. */
export const closing = "close";
