/** A part of a run that goes its way on an exchange of its own. */
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";

/** Runs the processor on the branch, which ends with it: whoever waits for the branch's end is told (Camel: UnitOfWork.done). */
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
