/**
 * The messages between control and the process of a group's databases. The content of requests and answers
 * (shared/embedded.ts) travels beside them, under the request's number.
 */
import type { EmbeddedFailure } from "../../shared/embedded.ts";

/**
 * - client: number, the name of the file in the group's folder, the most bytes of the database
 * - ask: number of the request, of the client, and how long it waits for transactions of others; its content follows
 * - cancel: number of a request, which does not begin if it has not begun yet
 * - end: number of a client; its transaction is rolled back
 * - copy: number of the request, the file, and the file to make of it
 */
export type ToProcess =
  | readonly [kind: "client", number: number, file: string, quotaBytes: number]
  | readonly [kind: "ask", id: number, client: number, waitMs: number]
  | readonly [kind: "cancel", id: number]
  | readonly [kind: "end", client: number]
  | readonly [kind: "copy", id: number, file: string, target: string];

/**
 * - ready: the process takes requests
 * - running: number of the request whose statement runs from here on; true: what it changes may last if the process ends
 * - waiting: it does not run, and waits for a transaction of another client
 * - failed: it has changed nothing
 * - copied: a `copy` is done
 */
export type ProcessMessage =
  | readonly [kind: "ready"]
  | readonly [kind: "running", id: number, lasts: boolean]
  | readonly [kind: "waiting", id: number]
  | readonly [kind: "failed", id: number, failure: EmbeddedFailure]
  | readonly [kind: "copied", id: number];
