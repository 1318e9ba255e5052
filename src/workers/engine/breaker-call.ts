/** A call behind a circuit breaker: within its bulkhead and its time-out, if it has them. */
import { runBranch } from "./branch.ts";
import type { BreakerOptions } from "./breaker-options.ts";
import { FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { withinTime } from "./part-of-run.ts";
import type { Processor } from "./processor.ts";
import { Semaphore } from "./semaphore.ts";

/** Runs on a copy of the exchange, which is its result. */
export type BreakerCall = (exchange: Exchange) => Exchange | Promise<Exchange>;

/** Throws BulkheadFullException, java.util.concurrent.TimeoutException, and whatever the steps throw. */
export function breakerCall(inner: Processor, options: BreakerOptions, stepId: string): BreakerCall {
  const { timeoutEnabled, timeoutDuration, bulkheadEnabled, bulkheadMaxConcurrentCalls } = options;
  const tooLate = (): Error =>
    new FlowException("java.util.concurrent.TimeoutException", `TimeLimiter '${stepId}' recorded a timeout exception.`);
  const call: BreakerCall = timeoutEnabled
    ? (exchange) => withinTime(inner, exchange, timeoutDuration, tooLate)
    : (exchange) => onCopy(inner, exchange);
  if (!bulkheadEnabled) return call;
  const bulkhead = new Semaphore(bulkheadMaxConcurrentCalls);
  const inside: BreakerCall = (exchange) => {
    let branch: Exchange | Promise<Exchange>;
    try {
      branch = call(exchange);
    } catch (error) {
      bulkhead.give();
      throw error;
    }
    if (branch instanceof Promise) return branch.finally(() => bulkhead.give());
    bulkhead.give();
    return branch;
  };
  return (exchange) => {
    if (bulkhead.tryTake()) return inside(exchange);
    const waitMs = options.bulkheadMaxWaitDuration;
    if (waitMs <= 0) throw full(stepId);
    return bulkhead.take(exchange.run.signal, waitMs).then((taken) => {
      if (taken) return inside(exchange);
      throw full(stepId);
    });
  };
}

function onCopy(inner: Processor, exchange: Exchange): Exchange | Promise<Exchange> {
  const branch = exchange.copy();
  const pending = runBranch(inner, branch);
  return pending === undefined ? branch : pending.then(() => branch);
}

function full(stepId: string): Error {
  const message = `Bulkhead '${stepId}' is full and does not permit further calls`;
  return new FlowException("io.github.resilience4j.bulkhead.BulkheadFullException", message);
}
