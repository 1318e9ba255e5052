/** What a subject of a group's database is: its operations, and its part in transactions. Runs in the state thread. */

/**
 * A class whose operations (`operations.ts`) run in the group's turn, many in one transaction. An operation throws `StateFailure` before it
 * writes anything, or not at all: what others have written in the same transaction stays.
 */
export interface Subject {
  /** Writes what it has collected in memory. Called before each commit. */
  flush?(): void;
  /** The transaction is durable. */
  committed?(): void;
  /** The transaction was undone: forgets what it has read and counted since, for some of it is not so. */
  undone?(): void;
  /** Removes up to `most` rows of an owner (a row of `owners`), and returns their number. Called again as long as these are `most`. */
  forgetRows?(ownerId: number, most: number): number;
}

/** The operations of a subject as its class has them: one that has much to do may do it in several turns. */
export type Implemented<Operations> = {
  readonly [O in keyof Operations]: Operations[O] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Answer | Again
    : never;
};

/**
 * The answer of an operation that has done a part of its work: it is called again with these arguments when other groups have had their turn.
 * It may have more parameters than its interface, for what the parts hand on.
 */
export class Again {
  readonly args: readonly unknown[];

  constructor(args: readonly unknown[]) {
    this.args = args;
  }
}

/** How many rows an operation removes in one turn. */
export const rowsPerTurn = 5000;
