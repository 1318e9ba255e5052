/** The figures of routes and endpoints as a flow's document has them. */
import { EndpointFigure, RouteFigure } from "../../shared/figures.ts";
import type { EndpointUsage, FlowUsage, RouteUsage } from "../flows/flow-service.ts";
import type { FlowFigures, RouteTotals } from "./flow-figures.ts";

export function figuresUsage(figures: FlowFigures): Pick<FlowUsage, "routes" | "endpoints"> {
  figures.look();
  return {
    routes: byName(figures.routes, routeUsage),
    endpoints: byName(figures.shownEndpoints, endpointUsage),
  };
}

function routeUsage({ runs, counts, childFailures }: RouteTotals): RouteUsage {
  const of = (figure: RouteFigure): number => counts[RouteFigure[figure]] ?? 0;
  return {
    runs: { ...runs },
    childFailures,
    retries: of("retries"),
    deadLetters: of("deadLetters"),
    handledFailures: of("handled"),
    idempotentHits: of("idempotentHits"),
    openAggregations: of("openGroups"),
    breakers: { closed: of("breakersClosed"), open: of("breakersOpen"), halfOpen: of("breakersHalfOpen") },
  };
}

function endpointUsage(counts: readonly number[]): EndpointUsage {
  const of = (figure: EndpointFigure): number => counts[EndpointFigure[figure]] ?? 0;
  return { ok: of("ok"), failed: of("failed"), retries: of("retries") };
}

function byName<T, D>(totals: Iterable<readonly [string, T]>, document: (of: T) => D): Readonly<Record<string, D>> {
  return Object.fromEntries([...totals].map(([name, of]) => [name, document(of)]));
}
