/** The error handler of a route that has none of its own: it handles nothing, but notes that it has seen a failure. */
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import { setProperty } from "./variables.ts";

/** The default error handler with nothing to do but to note that it has seen the failure: handlers of callers leave it alone. */
export function noticing(step: Processor): Processor {
  const seen = (exchange: Exchange, error: unknown): never => {
    if (!isDone(exchange)) {
      setProperty(exchange, "CamelExceptionCaught", error);
      setProperty(exchange, "CamelFailureRouteId", exchange.routeId);
      setProperty(exchange, "CamelFailureEndpoint", exchange.properties.get("CamelToEndpoint"));
      exchange.failureHandled = true;
    }
    throw error;
  };
  return (exchange) => {
    try {
      return step(exchange)?.catch((error: unknown) => seen(exchange, error));
    } catch (error) {
      return seen(exchange, error);
    }
  };
}

/** An error handler further in has dealt with the failure already, or the run must end. */
export function isDone(exchange: Exchange): boolean {
  return exchange.failureHandled || exchange.run.cancelled;
}
