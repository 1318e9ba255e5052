/** Runs the steps inside a step: as a branch on a copied exchange, repeatedly, or with an action at the end. */

import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

/** Runs the processor on the branch, then calls the branch's completions (Camel: UnitOfWork.done). */
export function runBranch(processor: Processor, branch: Exchange): void | Promise<void> {
  return finishing(
    () => processor(branch),
    (failed, error) => branch.done(failed, error),
  );
}

/**
 * Does some work, then what follows its end; synchronously where nothing waits. A failure of the work is thrown after
 * that, whatever becomes of it.
 */
export function finishing(
  work: () => void | Promise<void>,
  then: (failed: boolean, error?: unknown) => void | Promise<void>,
): void | Promise<void> {
  const fail = (error: unknown): Promise<void> => {
    const ending = then(true, error);
    if (ending === undefined) throw error;
    const raise = (): never => {
      throw error;
    };
    return ending.then(raise, raise);
  };
  let pending: void | Promise<void>;
  try {
    pending = work();
  } catch (error) {
    return fail(error);
  }
  return pending === undefined ? then(false) : pending.then(() => then(false), fail);
}

/** Goes on with what was waited for, as a new segment of the run's CPU time. The next step notices a cancelled run. */
export async function resumed<T>(
  run: Run<Exchange>,
  pending: Promise<T>,
  then: (value: T) => void | Promise<void>,
): Promise<void> {
  const value = await pending;
  const began = run.beginSegment();
  let more: void | Promise<void>;
  try {
    more = then(value);
  } finally {
    run.endSegment(began);
  }
  await more;
}

/** Copies the branch's state to the exchange, including how its routing ended (Camel: ExchangeHelper.copyResults). */
export function takeBranch(exchange: Exchange, branch: Exchange): void {
  exchange.become(branch);
  exchange.stopped ||= branch.stopped;
  exchange.handled ||= branch.handled;
  exchange.failureHandled ||= branch.failureHandled;
  exchange.rollback ||= branch.rollback;
}

/** As runBranch, but a failure becomes the branch's exception; only cancelling the run throws. */
export function settleBranch(processor: Processor, branch: Exchange): void | Promise<void> {
  const keep = (error: unknown): void => {
    if (branch.run.cancelled) throw error;
    branch.exception = error;
  };
  try {
    return runBranch(processor, branch)?.catch(keep);
  } catch (error) {
    keep(error);
  }
}

/** `finally` for processors: calls `then` when the work is over, synchronously if the work did not wait. */
export function lastly(work: () => void | Promise<void>, then: () => void): void | Promise<void> {
  let pending: void | Promise<void>;
  try {
    pending = work();
  } catch (error) {
    then();
    throw error;
  }
  if (pending !== undefined) return pending.finally(then);
  then();
}

/** Runs one turn; returns false after the last one. */
export type Turn = () => boolean | Promise<boolean>;

/** Repeats turns until the last one, or until one throws. Throws if the run is cancelled while a turn waits. */
export function repeat(run: Run<Exchange>, turn: Turn): void | Promise<void> {
  let more: boolean | Promise<boolean> = true;
  while (more === true) more = turn();
  if (more !== false) return resume(run, more, turn);
}

/** Each stretch of turns after a wait is a new segment of the run's CPU time. */
async function resume(run: Run<Exchange>, pending: Promise<boolean>, turn: Turn): Promise<void> {
  let more = await pending;
  while (more) {
    if (run.cancelled) throw run.signal.reason;
    const began = run.beginSegment();
    let next: boolean | Promise<boolean> = true;
    try {
      while (next === true) next = turn();
    } finally {
      run.endSegment(began);
    }
    more = next !== false && (await next);
  }
}
