/**
 * Sends exchanges of their own through processors, one after another or together, and makes one of their results: what split,
 * multicast and recipientList have in common (Camel: MulticastProcessor).
 */
import type { AggregationStrategy } from "./aggregation-strategy.ts";
import { repeat, settleBranch, takeBranch } from "./branch.ts";
import { exceptionMessage, exceptionType, FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { PassedFailures } from "./handled.ts";
import { partOf } from "./part-of-run.ts";
import type { Processor } from "./processor.ts";
import type { Run } from "./run.ts";
import { after } from "./waiting.ts";

export interface FanOut {
  readonly strategy: AggregationStrategy;
  /** true: several branches wait at the same time. The thread is one: what they compute is done in turn. */
  readonly parallel: boolean;
  /** With `parallel`, true: results count in the order of their ends, else in that of the branches. */
  readonly streaming: boolean;
  readonly stopOnException: boolean;
  /** With `parallel`: how long the branches are waited for. 0: for ever. */
  readonly timeoutMs: number;
  /** true: a branch's failure is the whole's, one that is handled in it ends the routing of the whole; the original message is the whole's. */
  readonly shareUnitOfWork: boolean;
  /** The step and its line: what handles a failure that the strategy leaves out. */
  readonly by: string;
}

export interface Branch {
  readonly exchange: Exchange;
  readonly process: Processor;
}

/** A copy of the exchange for a branch, with the properties that tell which it is. */
export function branchOf(
  original: Exchange,
  { shareUnitOfWork }: Pick<FanOut, "shareUnitOfWork">,
  properties: readonly (readonly [name: string, value: unknown])[],
): Exchange {
  const branch = original.copy();
  branch.properties.set("CamelCorrelationId", original.id);
  for (const [name, value] of properties) branch.properties.set(name, value);
  if (shareUnitOfWork) branch.shareOriginal(original);
  return branch;
}

/** Branches that are under way at the same time (Camel: the default thread pool has 10 threads). */
const together = 10;

/**
 * Runs all branches, then makes their result the original's; throws what it failed with. No branches: nothing changes.
 * `took` is called for each branch that has ended and counts.
 */
export function fanOut(
  original: Exchange,
  branches: Iterator<Branch>,
  options: FanOut,
  took?: () => void,
): void | Promise<void> {
  const work = new Work(original, options, took);
  const pending = options.parallel ? concurrently(work, branches, options) : inTurn(work, branches);
  return pending === undefined ? work.end() : pending.then(() => work.end());
}

class Work {
  readonly original: Exchange;
  readonly #options: FanOut;
  readonly #took: (() => void) | undefined;
  #result: Exchange | undefined;
  #index = 0;
  #handled = false;
  #failures: PassedFailures | undefined;
  /** The branch that ended the work, and the number of it. */
  #stoppedBy: { readonly exchange: Exchange; readonly index: number } | undefined;

  constructor(original: Exchange, options: FanOut, took: (() => void) | undefined) {
    this.original = original;
    this.#options = options;
    this.#took = took;
  }

  /** Takes a branch that has ended; false: no further one counts. */
  take(branch: Exchange): boolean {
    if (this.#stoppedBy !== undefined) return false;
    const index = this.#index++;
    this.#took?.();
    const failed = branch.exception !== undefined || branch.handled || branch.rollback;
    if (this.#options.stopOnException && failed) {
      this.#stoppedBy = { exchange: branch, index };
      return false;
    }
    if (branch.handled) this.#handled = true;
    if (branch.exception !== undefined) {
      this.#failures ??= new PassedFailures(this.#options.by);
      this.#failures.note(branch, branch.exception);
    }
    this.#result = this.#options.strategy.aggregate(this.#result, branch, this.original);
    if (this.#options.shareUnitOfWork) shareFailure(this.#result, branch);
    return true;
  }

  end(): void {
    if (this.#stoppedBy !== undefined) this.#endStopped(this.#stoppedBy);
    else if (this.#result !== undefined) this.#endWith(this.#result);
  }

  #endWith(result: Exchange): void {
    const { original } = this;
    this.#options.strategy.complete?.(result);
    takeBranch(original, result);
    if (this.#handled && this.#options.shareUnitOfWork) {
      original.handled = true;
      original.stopped = true;
    }
    this.#throwFailure(original.exception);
    this.#failures?.handled(original);
  }

  #endStopped({ exchange, index }: { readonly exchange: Exchange; readonly index: number }): void {
    const { exception } = exchange;
    if (exception === undefined) {
      takeBranch(this.original, exchange);
      return;
    }
    const caused = `Caused by: [${exceptionType(exception)} - ${exceptionMessage(exception)}]`;
    const message = `Multicast processing failed for number ${index}. Exchange[${exchange.id}]. ${caused}`;
    this.#throwFailure(new FlowException("org.apache.camel.CamelExchangeException", message, { cause: exception }));
  }

  /** The error handlers of the branches have tried what there was to try: those around the step do not begin again. */
  #throwFailure(error: unknown): void {
    if (error === undefined) return;
    this.original.exception = undefined;
    this.original.failureHandled = true;
    throw error;
  }
}

/** What made the branch fail, or would have, for the exchange that stands for all of them. */
const failureProperties = ["CamelExceptionCaught", "CamelFailureEndpoint", "CamelFailureRouteId"] as const;

/** The whole fails as the branch did, whatever the strategy makes of it (Camel: ShareUnitOfWorkAggregationStrategy.propagateFailure). */
function shareFailure(result: Exchange, branch: Exchange): void {
  if (result === branch || (branch.exception === undefined && !branch.handled)) return;
  if (branch.exception !== undefined) result.exception = branch.exception;
  for (const name of failureProperties) {
    const value = branch.properties.get(name);
    if (value !== undefined) result.properties.set(name, value);
  }
}

function inTurn(work: Work, branches: Iterator<Branch>): void | Promise<void> {
  return repeat(work.original.run, () => {
    const next = branches.next();
    if (next.done === true) return false;
    const { exchange } = next.value;
    const pending = settleBranch(next.value.process, exchange);
    return pending === undefined ? work.take(exchange) : pending.then(() => work.take(exchange));
  });
}

async function concurrently(work: Work, branches: Iterator<Branch>, options: FanOut): Promise<void> {
  const { timeoutMs } = options;
  if (timeoutMs === 0) {
    await new Lanes(work, branches, options, undefined).ended;
    return;
  }
  const part = partOf(work.original.run);
  const lanes = new Lanes(work, branches, options, part.run);
  try {
    if (await within(timeoutMs, lanes.ended)) return;
    lanes.close();
    part.giveUp();
  } finally {
    part.end();
  }
}

/** So many branches at a time; a branch begins when a lane is free. */
class Lanes {
  readonly ended: Promise<unknown>;
  readonly #work: Work;
  readonly #branches: Iterator<Branch>;
  readonly #streaming: boolean;
  /** Present: the branches can be given up without the run. */
  readonly #part: Run<Exchange> | undefined;
  /** Branches that have ended before one in front of them. */
  readonly #early = new Map<number, Exchange>();
  #begun = 0;
  #taken = 0;
  #open = true;

  constructor(work: Work, branches: Iterator<Branch>, { streaming }: FanOut, part: Run<Exchange> | undefined) {
    this.#work = work;
    this.#branches = branches;
    this.#streaming = streaming;
    this.#part = part;
    const { run } = work.original;
    const lanes = [this.#lane()];
    while (lanes.length < together && run.takeLane()) lanes.push(this.#lane().finally(() => run.giveLane()));
    this.ended = Promise.all(lanes);
  }

  /** What has ended counts, what has not does not. */
  close(): void {
    this.#open = false;
    for (const [, exchange] of [...this.#early].sort(([a], [b]) => a - b)) this.#work.take(exchange);
  }

  async #lane(): Promise<void> {
    while (this.#open) {
      const next = this.#branches.next();
      if (next.done === true) return;
      const index = this.#begun++;
      const { process } = next.value;
      const exchange = this.#part === undefined ? next.value.exchange : rehomed(next.value.exchange, this.#part);
      try {
        await settleBranch(process, exchange);
      } catch (error) {
        if (this.#open) throw error;
      }
      if (!this.#open) return;
      if (this.#streaming) this.#open = this.#work.take(exchange);
      else this.#takeInOrder(index, exchange);
    }
  }

  #takeInOrder(index: number, ended: Exchange): void {
    this.#early.set(index, ended);
    for (
      let next = this.#early.get(this.#taken);
      this.#open && next !== undefined;
      next = this.#early.get(this.#taken)
    ) {
      this.#early.delete(this.#taken++);
      this.#open = this.#work.take(next);
    }
  }
}

function rehomed(branch: Exchange, run: Run<Exchange>): Exchange {
  const copy = branch.copy(run);
  copy.depth = branch.depth;
  copy.shareOriginal(branch);
  return copy;
}

/** false: the time was over first. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stop = after(ms, () => resolve(false));
    work
      .then(
        () => resolve(true),
        (error: unknown) => reject(error),
      )
      .finally(stop);
  });
}
