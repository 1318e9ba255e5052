/** The runs of a runtime as the list shows them: asked for as long as somebody looks. */
import { orThrow } from "../../../../src/client/client.ts";
import { type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";

export type Run = Schemas["Run"];
export const runStatuses = ["running", "completed", "failed", "timeout", "killed", "shed", "cancelled"] as const;

/** As it stands in the address of the page. */
export interface RunFilter {
  readonly flow: string;
  readonly route: string;
  readonly status: string;
}

/** How many runs are asked for. */
export const mostRuns = 200;

export function runsOf(target: string, { flow, route, status }: RunFilter): Polled<readonly Run[]> {
  const query = {
    limit: mostRuns,
    ...(flow !== "" && { flowId: flow }),
    ...(route !== "" && { routeId: route }),
    ...(runStatuses.some((one) => one === status) && { status: status as Run["status"] }),
  };
  return polled({
    load: (signal) => orThrow(runtimeOf(target).GET("/_api/runs", { params: { query }, signal })),
    everyMs: 2000,
    isVisible: () => !document.hidden,
  });
}

export function runOf(target: string, runId: string): Polled<Schemas["RunDetail"]> {
  return polled({
    load: (signal) => orThrow(runtimeOf(target).GET("/_api/runs/{runId}", { params: { path: { runId } }, signal })),
    everyMs: 2000,
    isLast: ({ status, children }) => status !== "running" && children.running === 0,
    isVisible: () => !document.hidden,
  });
}

export function toneOf(status: Run["status"]): "good" | "bad" | "warn" | "accent" {
  if (status === "completed") return "good";
  if (status === "running") return "accent";
  return status === "shed" || status === "cancelled" ? "warn" : "bad";
}
