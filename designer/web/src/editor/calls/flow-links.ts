/** Where the calls of a drawn flow lead, and from where its routes are called: within it, and in other flows. */
import { callsOf, type FlowText, type FlowTree, type Link, type NamedRoute } from "../../model/index.ts";
import { words } from "../../words.ts";
import { currentItem } from "../actions/places.ts";
import { type Item, keyOf } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";
import { calledFlow, callingFlows, type KnownFlow } from "./known-flows.ts";
import { otherFlows } from "./other-flows.ts";
import { addressOfFlow } from "./places.ts";

/** A place that a link leads to: an item of the open flow, or an address of another one. */
export interface Jump {
  readonly title: string;
  readonly docs?: string | undefined;
  readonly key?: string;
  readonly href?: string;
}

interface Links {
  /** By the definition that calls. */
  readonly from: ReadonlyMap<string, readonly Link[]>;
  /** By the route that is called. */
  readonly to: ReadonlyMap<string, readonly Link[]>;
}

export function linksIn({ links }: FlowTree): Links {
  const indexed = known.get(links) ?? {
    from: Map.groupBy(links, ({ from }) => keyOf(from)),
    to: Map.groupBy(links, ({ to }) => (to === undefined ? "" : keyOf(to))),
  };
  known.set(links, indexed);
  return indexed;
}

const known = new WeakMap<FlowTree["links"], Links>();

/** What calls of one part lead to; names that nobody is known to have are left out. */
export function jumpsFrom(
  { id, view }: { readonly id: string; readonly view: FlowTree },
  links: readonly Link[],
  flows: readonly KnownFlow[],
): readonly Jump[] {
  const jumps = links.flatMap(({ name, scheme, to }): Jump[] => {
    if (to !== undefined) {
      const key = keyOf(to);
      const route = view.routes.find((one) => keyOf(one.path) === key);
      return [{ title: words.canvas.leadsTo(route?.description ?? route?.id ?? name), key }];
    }
    const flow = scheme === "direct" ? calledFlow(flows, id, name) : undefined;
    if (flow === undefined) return [];
    const href = addressOfFlow(flow, { called: name });
    return [{ title: words.canvas.leadsToFlow(name, flow.id), docs: docsOf(flow), href }];
  });
  return [...new Map(jumps.map((one) => [one.title, one])).values()];
}

/** The other flows that call a route of this one. */
export function jumpsTo(id: string, route: NamedRoute, flows: readonly KnownFlow[]): readonly Jump[] {
  return callingFlows(flows, id, route).map((flow) => ({
    title: words.canvas.calledByFlow(flow.id),
    docs: docsOf(flow),
    href: addressOfFlow(flow, { calls: route.name }),
  }));
}

function docsOf({ id, isHere }: KnownFlow): string | undefined {
  return isHere ? undefined : words.canvas.onRuntimeOnly(id);
}

/** The routes of the flow that others can call, by their keys. */
export function namedRoutes(flow: FlowText, tree: FlowTree): ReadonlyMap<string, NamedRoute> {
  const offered =
    named.get(tree) ?? new Map(callsOf(flow, tree).routes.map(({ path, ...route }) => [keyOf(path), route]));
  named.set(tree, offered);
  return offered;
}

const named = new WeakMap<FlowTree, ReadonlyMap<string, NamedRoute>>();

/** The keys of the steps of this flow that call a route. */
export function callersOf(session: EditorSession, route: string): readonly string[] {
  const { tree, index } = session.get();
  const from = new Set(
    linksIn(tree)
      .to.get(route)
      ?.map((link) => keyOf(link.from)),
  );
  return [...index.items.values()].filter(({ path }) => from.has(keyOf(path))).map(({ key }) => key);
}

/** All places that links of what is selected lead to. */
export function jumpsOfSelected(session: EditorSession): readonly Jump[] {
  const item = currentItem(session);
  const { view, flow, tree } = session.get();
  const flows = otherFlows.get();
  if (item === undefined) return [];
  const route = routeOf(item);
  if (route === undefined)
    return jumpsFrom({ id: session.id, view }, linksIn(view).from.get(keyOf(item.path)) ?? [], flows);
  const name = namedRoutes(flow, tree).get(route);
  const callers = callersOf(session, route).map((key) => ({ title: words.canvas.caller(titleOf(session, key)), key }));
  return [...callers, ...(name === undefined ? [] : jumpsTo(session.id, name, flows))];
}

function routeOf({ kind, key, parent }: Item): string | undefined {
  return kind === "route" ? key : kind === "trigger" ? parent : undefined;
}

function titleOf(session: EditorSession, key: string): string {
  const item = session.get().index.items.get(key);
  return item?.id ?? item?.name ?? key;
}

export function jump(session: EditorSession, { key, href }: Jump): void {
  if (key !== undefined) session.select([key]);
  else if (href !== undefined) location.hash = href;
}
