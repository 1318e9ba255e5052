/** What begins the runs of each route: callers, or the route itself by a clock or a source that it polls. */
import type { Schemas } from "../../api/runtime.ts";

export const triggerKinds = ["clock", "source", "call", "internal"] as const;
/**
 * - clock: timers and schedules.
 * - source: files and queues that are polled or listened to.
 * - call: callers over HTTP.
 * - internal: other routes.
 */
export type TriggerKind = (typeof triggerKinds)[number];

export interface TriggerRow {
  readonly flowId: string;
  readonly routeId: string;
  readonly uri: string;
  readonly kind: TriggerKind;
  readonly status: Schemas["Health"]["routes"][number]["status"];
  readonly lastError: string | undefined;
  /** Of its flow. */
  readonly queued: number;
}

const clocks = /^(?:timer|cron|quartz|scheduler):/;
const calls = /^(?:webhook|platform-http|rest|rest-api)(?::|$)/;
const internals = /^(?:direct|seda|vm|kamelet|intercept)(?::|$)/;

export function kindOf(uri: string): TriggerKind {
  if (clocks.test(uri)) return "clock";
  if (calls.test(uri)) return "call";
  return internals.test(uri) ? "internal" : "source";
}

/** The routes of the runtime as it reports them, with the addresses that the list of flows has. */
export function triggerRows(
  routes: Schemas["Health"]["routes"],
  flows: readonly Schemas["FlowSummary"][],
): readonly TriggerRow[] {
  const uris = new Map(flows.flatMap((flow) => flow.routes.map(({ id, uri }) => [`${flow.id}/${id}`, uri] as const)));
  return routes.flatMap(({ id, flowId, status, lastError, queued = 0 }) => {
    const uri = uris.get(`${flowId}/${id}`);
    if (uri === undefined) return [];
    const error = lastError === undefined || lastError === null ? undefined : `${lastError.type}: ${lastError.message}`;
    return [{ flowId, routeId: id, uri, kind: kindOf(uri), status, lastError: error, queued }];
  });
}
