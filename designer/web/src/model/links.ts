/** Finds which parts of a flow call which of its routes by name. */
import type { Branch, Link, OtherNode, RouteNode, StepNode } from "./nodes.ts";
import type { Path } from "./types.ts";

/** Returns the calls of `direct:` and `seda:` names that stand in texts; names that messages give are not known here. */
export function linksOf(routes: readonly RouteNode[], others: readonly OtherNode[]): Link[] {
  const targets = new Map<string, Path>();
  for (const { trigger, path } of routes) {
    const called = trigger && nameOf(trigger.uri);
    if (called !== undefined && !targets.has(keyOf(called))) targets.set(keyOf(called), path);
  }
  return [...callsOf(routes, others)].flatMap(({ uri, from }) => {
    const called = nameOf(uri);
    if (called === undefined) return [];
    const to = targets.get(keyOf(called));
    return [{ ...called, from, ...(to !== undefined && { to }) }];
  });
}

/** An address in one text, also where the name of a route or a queue stands among the parameters, as Kaoto writes it. */
export function addressOf(uri: string | undefined, parameters: unknown): string | undefined {
  if (uri === undefined || !/^(?:direct|seda)$/.test(uri) || typeof parameters !== "object") return uri;
  const { name } = { name: undefined, ...parameters };
  return typeof name === "string" && name !== "" ? `${uri}:${name}` : uri;
}

/** Steps whose address is a list of addresses. */
const lists: ReadonlySet<string> = new Set(["recipientList", "routingSlip"]);

interface Call {
  readonly uri: string;
  readonly from: Path;
}

function* callsOf(routes: readonly RouteNode[], others: readonly OtherNode[]): Generator<Call> {
  for (const { steps } of routes) yield* callsOfSteps(steps);
  for (const { uri, path: from, branches, route, operations, children } of others) {
    if (uri !== undefined) yield { uri, from };
    yield* callsOfBranches(branches);
    if (route !== undefined) yield* callsOfSteps(route.steps);
    for (const { to, path } of operations ?? []) if (to !== undefined) yield { uri: to, from: path };
    yield* callsOf([], children ?? []);
  }
}

function* callsOfSteps(steps: readonly StepNode[]): Generator<Call> {
  for (const { uri, brief, name, path, branches } of steps) {
    const address = uri ?? (["enrich", "recipientList", "routingSlip", "toD"].includes(name) ? brief : undefined);
    const addresses = lists.has(name) ? (address?.split(",") ?? []) : [address];
    for (const one of addresses) if (one !== undefined) yield { uri: one.trim(), from: path };
    yield* callsOfBranches(branches);
  }
}

function* callsOfBranches(branches: readonly Branch[]): Generator<Call> {
  for (const { steps } of branches) yield* callsOfSteps(steps);
}

function nameOf(uri: string): { scheme: "direct" | "seda"; name: string } | undefined {
  const found = /^(direct|seda):(?:\/\/)?([^?${}]+)(?:\?.*)?$/.exec(uri);
  return found === null ? undefined : { scheme: found[1] as "direct" | "seda", name: found[2] as string };
}

function keyOf({ scheme, name }: { scheme: string; name: string }): string {
  return `${scheme}:${name}`;
}
