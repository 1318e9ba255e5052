/** How a step runs its own steps: as a branch on a copied exchange, in turns, with an action at the end however they ended. */

import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";

/** Runs the processor on the branch, which ends with it: those that wait for the branch's end are notified (Camel: UnitOfWork.done). */
export function runBranch(processor: Processor, branch: Exchange): void | Promise<void> {
  const fail = (error: unknown): never => {
    branch.done(true);
    throw error;
  };
  const end = (): void => branch.done(false);
  let pending: void | Promise<void>;
  try {
    pending = processor(branch);
  } catch (error) {
    return fail(error);
  }
  if (pending !== undefined) return pending.then(end, fail);
  end();
}

/** The exchange becomes what the branch is now, and its routing ends as the branch's did (Camel: ExchangeHelper.copyResults). */
export function takeBranch(exchange: Exchange, branch: Exchange): void {
  exchange.become(branch);
  exchange.stopped ||= branch.stopped;
  exchange.handled ||= branch.handled;
  exchange.failureHandled ||= branch.failureHandled;
  exchange.rollback ||= branch.rollback;
}

/** The same, and a failure becomes the branch's exception; only a cancelled run ends with it. */
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

/** `finally` for processors: calls `then` when the work is over, at once if it need not wait. */
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

/** One turn; false: it was the last. */
export type Turn = () => boolean | Promise<boolean>;

/** Takes turns until one is the last or throws; after a wait a cancelled run has none. */
export function repeat(run: Run<Exchange>, turn: Turn): void | Promise<void> {
  let more: boolean | Promise<boolean> = true;
  while (more === true) more = turn();
  if (more !== false) return resume(run, more, turn);
}

/** After a wait each stretch of turns counts as a segment of the run's CPU time. */
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
