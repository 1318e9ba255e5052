/** Finds which flow has the route that another flow calls by name, and which flows call a route. */
import type { FlowCalls } from "../../../../shared/wire.ts";
import type { Schemas } from "../../api/runtime.ts";
import { directName, type NamedRoute } from "../../model/index.ts";

export interface KnownFlow extends FlowCalls {
  /** Whether the workspace has it, so that it can be opened. */
  readonly isHere: boolean;
}

type DeployedFlow = Pick<Schemas["FlowSummary"], "id" | "routes" | "calls">;

/** The flows of the workspace as they are there, and those that only the runtime has. */
export function knownFlows(here: readonly FlowCalls[], deployed: readonly DeployedFlow[]): readonly KnownFlow[] {
  const ids = new Set(here.map(({ id }) => id));
  const others = deployed.filter(({ id }) => !ids.has(id));
  return [
    ...here.map((flow) => ({ ...flow, isHere: true })),
    ...others.map(({ id, routes, calls = [] }) => ({ id, routes: routes.flatMap(namedRoute), calls, isHere: false })),
  ];
}

function namedRoute({ id, uri }: DeployedFlow["routes"][number]): FlowCalls["routes"] {
  const name = directName(uri);
  return name === undefined ? [] : [{ name, route: id, shared: /[?&]shared=true(?:&|$)/.test(uri) }];
}

/** The flow whose route a call of the flow `id` reaches: one of its group, else one that shares the name. */
export function calledFlow(flows: readonly KnownFlow[], id: string, name: string): KnownFlow | undefined {
  const others = flows.filter((flow) => flow.id !== id);
  const inGroup = others.find((flow) => groupOf(flow.id) === groupOf(id) && routeOf(flow, name) !== undefined);
  return inGroup ?? others.find((flow) => routeOf(flow, name)?.shared === true);
}

/** The flows that reach a route of the flow `id` by its name. */
export function callingFlows(
  flows: readonly KnownFlow[],
  id: string,
  { name, shared }: Pick<NamedRoute, "name" | "shared">,
): readonly KnownFlow[] {
  const group = groupOf(id);
  return flows.filter((flow) => {
    if (flow.id === id || !flow.calls.includes(name)) return false;
    const own = groupOf(flow.id);
    if (own === group || !shared) return own === group;
    return !flows.some((other) => groupOf(other.id) === own && routeOf(other, name) !== undefined);
  });
}

function routeOf({ routes }: KnownFlow, name: string): NamedRoute | undefined {
  return routes.find((route) => route.name === name);
}

/** What stands before the first dot of an id. */
export function groupOf(id: string): string {
  const dot = id.indexOf(".");
  return dot < 0 ? "" : id.slice(0, dot);
}
