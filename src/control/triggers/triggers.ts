/**
 * Mounts a deployment's triggers when it goes live and unmounts those of the one before, within the swap. Whether a
 * route is started is checked with each request; clocks are notified.
 */
import type { LiveFlows } from "../flows/live-flows.ts";
import type { Timers } from "./timers.ts";
import type { Webhooks } from "./webhooks.ts";

export function followSwaps(live: LiveFlows, webhooks: Webhooks, timers: Timers): void {
  live.onSwap((flowId, now, before) => {
    webhooks.swap(flowId, now, before);
    timers.swap(flowId, now);
  });
  live.onRoutes((deployment, routeIndexes) => {
    for (const routeIndex of routeIndexes) timers.changed(deployment, routeIndex);
  });
}
