/**
 * A call behind a circuit breaker, with its bulkhead and its time-out, and the handling of its failure (Camel:
 * ResilienceProcessor).
 */
import { runBranch } from "../../engine/branch.ts";
import { exceptionType, FlowException } from "../../engine/exception.ts";
import { isOneOf } from "../../engine/exception-match.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { type Handler, handledBy } from "../../engine/handled.ts";
import { withinTime } from "../../engine/part-of-run.ts";
import type { Processor } from "../../engine/processor.ts";
import { Semaphore } from "../../engine/semaphore.ts";
import { setProperty } from "../../engine/variables.ts";
import type { BreakerOptions } from "./options.ts";
import type { Breaker } from "./states.ts";

/** Runs on a copy of the exchange, which is its result. */
export type BreakerCall = (exchange: Exchange) => Exchange | Promise<Exchange>;

/** Throws BulkheadFullException, java.util.concurrent.TimeoutException, and the failures of the steps. */
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
  return new FlowException(bulkheadFull, message);
}

/** Properties of the exchange, without the prefix `CamelCircuitBreaker`. */
type Response =
  | "SuccessfulExecution"
  | "ResponseFromFallback"
  | "ResponseShortCircuited"
  | "ResponseTimedOut"
  | "ResponseRejected"
  | "ResponseIgnored";

export function setResponse(exchange: Exchange, facts: Partial<Record<Response, boolean>>): void {
  for (const [name, fact] of Object.entries(facts)) exchange.properties.set(`CamelCircuitBreaker${name}`, fact);
}

/** Whether the breaker counts the error as a failure. */
export function isRecorded(error: unknown, { recordException }: BreakerOptions): boolean {
  return recordException.length === 0 || isOneOf(error, recordException);
}

const notPermitted = "io.github.resilience4j.circuitbreaker.CallNotPermittedException";
const bulkheadFull = "io.github.resilience4j.bulkhead.BulkheadFullException";
const timedOut = "java.util.concurrent.TimeoutException";

/**
 * Handles a failed or refused call. The exchange is as it was before the breaker. Throws the failure without a
 * fallback, unless the class is ignored or not recorded, or the breaker was open and is set not to throw then.
 */
export function afterFailure(
  breaker: Breaker,
  options: BreakerOptions,
  fallback: Processor | undefined,
  handler: Handler,
): (exchange: Exchange, error: unknown) => void | Promise<void> {
  return (exchange, error) => {
    exchange.properties.set("CamelCircuitBreakerState", breaker.state);
    const ignored = isOneOf(error, options.ignoreException);
    if (ignored || !isRecorded(error, options)) {
      setResponse(exchange, {
        SuccessfulExecution: !ignored,
        ResponseFromFallback: false,
        ResponseShortCircuited: false,
      });
      if (ignored) setResponse(exchange, { ResponseIgnored: true });
      return;
    }
    const type = exceptionType(error);
    if (fallback !== undefined) return fallBack(exchange, error, type, fallback, handler);
    setResponse(exchange, { SuccessfulExecution: false, ResponseFromFallback: false });
    if (type === timedOut) setResponse(exchange, { ResponseShortCircuited: false, ResponseTimedOut: true });
    else setResponse(exchange, { ResponseShortCircuited: true, ResponseRejected: true });
    if (type !== notPermitted || options.throwExceptionWhenHalfOpenOrOpenState) throw error;
  };
}

/** As in Camel, CamelExceptionCaught is empty in the fallback of a call that was refused or timed out. */
function fallBack(
  exchange: Exchange,
  error: unknown,
  type: string,
  fallback: Processor,
  handler: Handler,
): void | Promise<void> {
  const ofSteps = type !== notPermitted && type !== timedOut && type !== bulkheadFull;
  setResponse(exchange, { SuccessfulExecution: false, ResponseFromFallback: true, ResponseShortCircuited: true });
  if (type === timedOut) setResponse(exchange, { ResponseTimedOut: true });
  setProperty(exchange, "CamelExceptionCaught", ofSteps ? error : null);
  setProperty(exchange, "CamelExceptionHandled", true);
  exchange.exception = undefined;
  return handledBy(fallback, handler, exchange, error);
}
