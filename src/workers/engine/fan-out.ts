/**
 * Sends exchanges through processors, one after another or together, and aggregates the results: the common part of
 * split, multicast and recipientList (Camel: MulticastProcessor).
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
  /** true: several branches wait at the same time. There is one thread, so their computations take turns. */
  readonly parallel: boolean;
  /** With `parallel`, true aggregates results in the order in which they end, false in the order of the branches. */
  readonly streaming: boolean;
  readonly stopOnException: boolean;
  /** With `parallel`: the time for the branches. 0: without end. */
  readonly timeoutMs: number;
  /**
   * true: a branch's failure fails the whole, a failure that a branch handles ends the routing of the whole, and
   * branches share the original message.
   */
  readonly shareUnitOfWork: boolean;
  /** The step and its line, as the handler of failures that the strategy drops. */
  readonly by: string;
}

export interface Branch {
  readonly exchange: Exchange;
  readonly process: Processor;
}

/** Branches in their order. Each call returns the next one; those that read as they go return a promise of it. */
export interface Branches {
  next(): IteratorResult<Branch> | Promise<IteratorResult<Branch>>;
}

/** Copies the exchange for a branch, and sets the properties that identify the branch. */
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

/** The most branches that run at the same time (Camel's default thread pool has 10 threads). */
const together = 10;

/**
 * Runs all branches, then copies their result to the original; throws the result's failure. Without branches nothing
 * changes. `took` is called for each branch that has ended and counts.
 */
export function fanOut(
  original: Exchange,
  branches: Branches,
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
  /** The branch that ended the work, and its number. */
  #stoppedBy: { readonly exchange: Exchange; readonly index: number } | undefined;

  constructor(original: Exchange, options: FanOut, took: (() => void) | undefined) {
    this.original = original;
    this.#options = options;
    this.#took = took;
  }

  /** Aggregates a branch that has ended; returns false when no further one counts. */
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

  /**
   * Marks the failure as handled, since the error handlers of the branches have already tried again; those of the step
   * must not.
   */
  #throwFailure(error: unknown): void {
    if (error === undefined) return;
    this.original.exception = undefined;
    this.original.failureHandled = true;
    throw error;
  }
}

/** Properties of a branch's failure that are copied to the result. */
const failureProperties = ["CamelExceptionCaught", "CamelFailureEndpoint", "CamelFailureRouteId"] as const;

/**
 * Makes the whole fail as the branch did, whatever the strategy returns (Camel:
 * ShareUnitOfWorkAggregationStrategy.propagateFailure).
 */
function shareFailure(result: Exchange, branch: Exchange): void {
  if (result === branch || (branch.exception === undefined && !branch.handled)) return;
  if (branch.exception !== undefined) result.exception = branch.exception;
  for (const name of failureProperties) {
    const value = branch.properties.get(name);
    if (value !== undefined) result.properties.set(name, value);
  }
}

function inTurn(work: Work, branches: Branches): void | Promise<void> {
  const turn = (next: IteratorResult<Branch>): boolean | Promise<boolean> => {
    if (next.done === true) return false;
    const { exchange } = next.value;
    const pending = settleBranch(next.value.process, exchange);
    return pending === undefined ? work.take(exchange) : pending.then(() => work.take(exchange));
  };
  return repeat(work.original.run, () => {
    const next = branches.next();
    return next instanceof Promise ? next.then(turn) : turn(next);
  });
}

async function concurrently(work: Work, branches: Branches, options: FanOut): Promise<void> {
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

/** Runs a number of branches at a time; a branch begins when a lane is free. */
class Lanes {
  readonly ended: Promise<unknown>;
  readonly #work: Work;
  readonly #branches: Branches;
  readonly #streaming: boolean;
  /** Present: the branches can be cancelled without the run. */
  readonly #part: Run<Exchange> | undefined;
  /** Branches that have ended before an earlier one. */
  readonly #early = new Map<number, Exchange>();
  #begun = 0;
  #taken = 0;
  #open = true;

  constructor(work: Work, branches: Branches, { streaming }: FanOut, part: Run<Exchange> | undefined) {
    this.#work = work;
    this.#branches = branches;
    this.#streaming = streaming;
    this.#part = part;
    const { run } = work.original;
    const lanes = [this.#lane()];
    while (lanes.length < together && run.takeLane()) lanes.push(this.#lane().finally(() => run.giveLane()));
    this.ended = Promise.all(lanes);
  }

  /** Aggregates the branches that have ended, and ignores the others. */
  close(): void {
    this.#open = false;
    for (const [, exchange] of [...this.#early].sort(([a], [b]) => a - b)) this.#work.take(exchange);
  }

  async #lane(): Promise<void> {
    while (this.#open) {
      const pending = this.#branches.next();
      const next = pending instanceof Promise ? await pending : pending;
      if (next.done === true || !this.#open) return;
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

/** Resolves false if the time is over first. */
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
