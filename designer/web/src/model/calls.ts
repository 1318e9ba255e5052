/** What a flow offers to other flows by name, and what it calls of them. */
import { directName } from "./names.ts";
import type { FlowTree } from "./nodes.ts";
import { optionsAt } from "./set-option.ts";
import type { FlowText, Path } from "./types.ts";

export interface NamedRoute {
  /** Behind `direct:`. */
  readonly name: string;
  /** The route's id; null: it has none. */
  readonly route: string | null;
  /** Whether flows of other groups can call it, too. */
  readonly shared: boolean;
}

/** `routes`: with their places; `calls`: names that steps call and no route of the flow has, each once. */
export function callsOf(flow: FlowText, { routes, links }: FlowTree) {
  const offered = routes.flatMap(({ id, path, trigger }): (NamedRoute & { readonly path: Path })[] => {
    const name = directName(trigger?.uri ?? "");
    if (name === undefined || trigger === undefined) return [];
    const { uri, parameters } = optionsAt(flow, trigger.path);
    const query = new URLSearchParams(String(uri ?? "").split("?")[1] ?? "");
    const { shared = query.get("shared") } = { ...(parameters as object | undefined) } as { readonly shared?: unknown };
    return [{ name, route: id ?? null, shared: String(shared) === "true", path }];
  });
  const calls = links.filter(({ scheme, to }) => scheme === "direct" && to === undefined).map(({ name }) => name);
  return { routes: offered, calls: [...new Set(calls)] };
}
