/** Compiles the source of a route whose messages come about in the thread. */
import type { RouteModel } from "../../shared/flow-model.ts";
import { catalog } from "../catalog.ts";
import { compiledAt } from "../engine/compile-error.ts";
import type { AnnouncePort } from "../engine/flow-scope.ts";
import { type DirectTarget, received } from "./direct-calls.ts";
import type { FlowLife } from "./flow-life.ts";
import { endpointContext, type FlowParts, useNetwork } from "./flow-parts.ts";
import { graceMs, OverdueMessages } from "./overdue-messages.ts";
import { offerTo } from "./source-offer.ts";
import { sourceReport, startedIn } from "./source-report.ts";

interface SourceParts {
  readonly parts: FlowParts;
  readonly life: FlowLife;
  readonly port: AnnouncePort;
  /** The routes of the flow that have a source. */
  readonly sources: readonly RouteModel[];
}

/** Does nothing for a route without a source. */
export function addSource(route: RouteModel, target: DirectTarget, { parts, life, port, sources }: SourceParts): void {
  const { id: routeId, from } = route;
  const { scheme, uri, options, at } = from.endpoint;
  const component = catalog.components.get(scheme);
  if (component?.stateful === true) parts.stateful = true;
  if (component?.source === undefined) return;
  const { source: make, files, sourceAdvice } = component;
  const place = { at, routeId, stepId: null };
  const advice = sourceAdvice?.(options as never);
  if (advice !== undefined) parts.warn(advice.code, advice.message, place);
  if (files === true) parts.usesFiles = true;
  useNetwork(component, parts);
  const { flowId, egress } = parts;
  const own = endpointContext(from.endpoint, routeId, parts);
  const routeIndex = parts.routeIndex(routeId);
  const figures = parts.counts.source(sources.indexOf(route));
  const report = sourceReport({ routeId, routeIndex, scheme, figures, port });
  const context = { ...own, flowId, routeId, uri, egress, report };
  const source = compiledAt(place, "bad_endpoint", () => make(options as never, context));
  const mostMs = own.limits.timerWallMs + graceMs;
  const overdue = new OverdueMessages({ routeId, scheme, figures, port, mostMs });
  const offer = offerTo({ routeId, uri, scope: own, process: received(target), figures, overdue }, source.credits);
  life.addSource(routeIndex, startedIn(figures, source, report.begin), offer);
}
