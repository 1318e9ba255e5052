/** How an exchange goes on after a call behind a circuit breaker: its properties, the fallback (Camel: ResilienceProcessor). */
import type { Breaker } from "./breaker.ts";
import type { BreakerOptions } from "./breaker-options.ts";
import { exceptionType } from "./exception.ts";
import { isOneOf } from "./exception-list.ts";
import type { Exchange } from "./exchange.ts";
import { type Handler, handledBy } from "./handled.ts";
import type { Processor } from "./processor.ts";
import { setProperty } from "./variables.ts";

/** Properties of the exchange, without `CamelCircuitBreaker` before them. */
type Response =
  | "SuccessfulExecution"
  | "ResponseFromFallback"
  | "ResponseShortCircuited"
  | "ResponseTimedOut"
  | "ResponseRejected"
  | "ResponseIgnored";

export function tell(exchange: Exchange, facts: Partial<Record<Response, boolean>>): void {
  for (const [name, fact] of Object.entries(facts)) exchange.properties.set(`CamelCircuitBreaker${name}`, fact);
}

/** Whether the breaker counts the error as a failure. */
export function isRecorded(error: unknown, { recordException }: BreakerOptions): boolean {
  return recordException.length === 0 || isOneOf(error, recordException);
}

const notPermitted = "io.github.resilience4j.circuitbreaker.CallNotPermittedException";
const timedOut = "java.util.concurrent.TimeoutException";

/**
 * What is done about a failed or refused call. The exchange is as it was before the breaker. Throws when the failure stays one:
 * without a fallback, unless the class is ignored or not recorded, or the breaker was open and is not to throw then.
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
      tell(exchange, { SuccessfulExecution: !ignored, ResponseFromFallback: false, ResponseShortCircuited: false });
      if (ignored) tell(exchange, { ResponseIgnored: true });
      return;
    }
    const type = exceptionType(error);
    if (fallback !== undefined) return fallBack(exchange, error, type, fallback, handler);
    tell(exchange, { SuccessfulExecution: false, ResponseFromFallback: false });
    if (type === timedOut) tell(exchange, { ResponseShortCircuited: false, ResponseTimedOut: true });
    else tell(exchange, { ResponseShortCircuited: true, ResponseRejected: true });
    if (type !== notPermitted || options.throwExceptionWhenHalfOpenOrOpenState) throw error;
  };
}

/** As in Camel the fallback of a call that was not made, or not waited for, finds no exception in CamelExceptionCaught. */
function fallBack(
  exchange: Exchange,
  error: unknown,
  type: string,
  fallback: Processor,
  handler: Handler,
): void | Promise<void> {
  const ofSteps = type !== notPermitted && type !== timedOut && type !== bulkheadFull;
  tell(exchange, { SuccessfulExecution: false, ResponseFromFallback: true, ResponseShortCircuited: true });
  if (type === timedOut) tell(exchange, { ResponseTimedOut: true });
  setProperty(exchange, "CamelExceptionCaught", ofSteps ? error : null);
  setProperty(exchange, "CamelExceptionHandled", true);
  exchange.exception = undefined;
  return handledBy(fallback, handler, exchange, error);
}

const bulkheadFull = "io.github.resilience4j.bulkhead.BulkheadFullException";
