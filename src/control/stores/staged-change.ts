/**
 * Changes that are written and not made yet: new files wait beside the old ones under temporary names. To make the change is to rename
 * and to unlink, which needs no space on the disk. What is not made is swept by the next boot like any interrupted write.
 */
import { AppError } from "../../shared/errors.ts";
import type { Draft, Move } from "./durable-files.ts";

export interface Staged<Result> {
  /** To be made in this order. */
  readonly moves: readonly Move[];
  /** Takes back what was written, as far as the disk allows. */
  discard(): Promise<void>;
  /** Called when the moves are made: follows them in memory, and returns what came of the change. */
  finish(): Result;
  /** Called after `finish`: removes what is no longer needed, as far as the disk allows. */
  settle(): Promise<void>;
}

/** Throws store_failed when something other than a regular file has the name. */
export function moveOf({ move }: Draft): Move {
  if (move !== undefined) return move;
  throw new AppError(
    "store_failed",
    "something that is no file is in the way of a file of the store: move it away first",
  );
}
