/** Warns of steps that wait for a reply only because a caller waits for the route's answer. */
import type { EndpointModel, FlowModel, RouteModel } from "../../shared/flow-model.ts";
import type { Trigger } from "../../shared/manifest.ts";
import { catalog } from "../catalog.ts";
import type { FlowParts } from "./flow-parts.ts";

interface Sending {
  readonly id: string;
  readonly endpoint: EndpointModel;
}

/** `triggers`: of the routes, in their order. */
export function warnOfReplies({ routes }: FlowModel, triggers: readonly Trigger[], { warn }: FlowParts): void {
  for (const [index, route] of routes.entries()) {
    const kind = triggers[index]?.kind;
    if (kind !== "webhook" && kind !== "http") continue;
    for (const { id, endpoint } of sendings(route)) {
      if (catalog.components.get(endpoint.scheme)?.awaitsReply?.(endpoint.options as never) !== true) continue;
      warn(
        "awaits_reply",
        `'${endpoint.uri}' waits for a reply here, since a caller waits for the route's answer: write exchangePattern: InOnly to send without waiting, or InOut to say that it is meant`,
        { at: endpoint.at, routeId: route.id, stepId: id },
      );
    }
  }
}

/** The `to` steps of a route that leave the pattern to the message; none where a step sets it. */
function sendings({ steps }: RouteModel): readonly Sending[] {
  const found: Sending[] = [];
  const pending: unknown[] = [...steps];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one !== "object" || one === null) continue;
    const { type, id, options } = one as { readonly type?: unknown; readonly id?: unknown; readonly options?: unknown };
    if (type === "setExchangePattern") return [];
    if (type === "to" && typeof id === "string") {
      const { endpoint, pattern } = options as { readonly endpoint?: EndpointModel; readonly pattern?: string };
      if (endpoint !== undefined && pattern === undefined) found.push({ id, endpoint });
    } else pending.push(...Object.values(one));
  }
  return found.reverse();
}
