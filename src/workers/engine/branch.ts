/** Runs the steps inside a step: as a branch on a copied exchange, repeatedly, or with an action at the end. */

import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

/** Runs the processor on the branch, then calls the branch's completions (Camel: UnitOfWork.done). */
export function runBranch(processor: Processor, branch: Exchange): void | Promise<void> {
  const fail = (error: unknown): Promise<never> => {
    const ending = branch.done(true, error);
    if (ending === undefined) throw error;
    return ending.then(() => Promise.reject(error));
  };
  const end = (): void | Promise<void> => branch.done(false);
  let pending: void | Promise<void>;
  try {
    pending = processor(branch);
  } catch (error) {
    return fail(error);
  }
  if (pending !== undefined) return pending.then(end, fail);
  return end();
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
