/** `direct:` names of a flow: one consumer each, and a word about targets that are not in it. */
import type { FoundEndpoint } from "./context.ts";
import { place } from "./ids.ts";
import type { Report } from "./report.ts";
import type { ReadRoute } from "./route.ts";

export function checkDirects(routes: readonly ReadRoute[], endpoints: readonly FoundEndpoint[], report: Report): void {
  const consumers = new Map<string, FoundEndpoint>();
  const found = endpoints.filter(({ role }) => role === "consumer");
  for (const { trigger, endpoint, draft } of routes) {
    if (trigger?.kind !== "direct") continue;
    const own = found.find(({ model }) => model === endpoint);
    const first = consumers.get(trigger.name);
    if (own === undefined) continue;
    if (first === undefined) consumers.set(trigger.name, own);
    else {
      const other = first.scope.route?.id ?? "";
      const message = `'direct:${trigger.name}' is already consumed by route '${other}' at ${place(first.uri)}: a name has one consumer`;
      report.error("duplicate_direct", message, own.uri, { route: draft });
    }
  }
  for (const { model, role, uri, scope } of endpoints) {
    if (role !== "producer" || model.scheme !== "direct") continue;
    const name = model.uri.slice("direct:".length).split("?")[0] as string;
    if (consumers.has(name)) continue;
    const message = `no route of this flow consumes 'direct:${name}': the call needs another flow of the group that does`;
    report.warning("external_direct", message, uri, scope);
  }
}
