/** Addresses that open a flow at a route that is called by name, or at a step that calls it. */
import { hashOf } from "../../app/hash.ts";
import { directName, type FlowTree } from "../../model/index.ts";
import { type ItemIndex, keyOf } from "../session/items.ts";
import type { KnownFlow } from "./known-flows.ts";

/** A flow that only the runtime has is shown in the list, from where it can be brought into the workspace. */
export function addressOfFlow(
  { id, isHere }: KnownFlow,
  at: { readonly called?: string; readonly calls?: string },
): string {
  return isHere ? hashOf(["flows", id], at) : hashOf(["flows"], { find: id });
}

/** The item that such an address means; undefined: the flow has none. */
export function itemAt(
  { routes, links }: FlowTree,
  { items }: ItemIndex,
  { called, calls }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (called !== undefined) {
    const route = routes.find(({ trigger }) => directName(trigger?.uri ?? "") === called);
    return route && keyOf(route.path);
  }
  const link =
    calls === undefined ? undefined : links.find(({ scheme, name }) => scheme === "direct" && name === calls);
  const from = link && keyOf(link.from);
  return from === undefined ? undefined : [...items.values()].find(({ path }) => keyOf(path) === from)?.key;
}
