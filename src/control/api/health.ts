/** `GET /_api/health`: the one open endpoint, answered from what the main thread knows. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import type { AuditStatus } from "../audit/audit-log.ts";
import type { FlowsHealth, RouteHealth } from "../flows/flow-service.ts";
import type { RuntimeProblem } from "../runs/runtime-problems.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { routeStatusSchema } from "./flow-schemas.ts";
import { jsonAnswer } from "./schemas.ts";
import type { RuntimeFacts, Services } from "./services.ts";

const healthSchema = z
  .object({
    status: z.enum(["UP", "DEGRADED"]),
    uptime: z.number().describe("Seconds."),
    version: z.string(),
    engine: z.object({ name: z.string(), version: z.string(), dsl: z.string() }),
    counts: z.object({
      flows: z.int(),
      routes: z.int(),
      started: z.int(),
      failed: z.int(),
      failedFiles: z.int(),
    }),
    routes: z.array(
      z.object({
        id: z.string(),
        flowId: z.string(),
        status: routeStatusSchema,
        uptime: z.number().optional(),
        inflight: z.int().optional(),
        queued: z.int().optional(),
        restarts: z.int().optional(),
        hash: z.string().optional(),
        lastError: z.object({ type: z.string(), message: z.string(), at: z.string() }).nullable().optional(),
      }),
    ),
    failedFiles: z.array(z.object({ file: z.string(), reason: z.string() })).optional(),
    problems: z
      .array(
        z.object({
          code: z.enum(["quarantined", "stuck_thread", "host_down", "main_loop_late", "overloaded", "lock_lost"]),
          message: z.string(),
          flowId: z.string().optional(),
          until: z.string().optional().describe("Then it is tried again."),
        }),
      )
      .optional()
      .describe(
        "Why it is DEGRADED, beside routes that have failed and files that could not be loaded. With the bearer only.",
      ),
    store: z
      .object({ writable: z.boolean(), reason: z.string().optional() })
      .optional()
      .describe("Whether flows can be changed, and why not. With the bearer only."),
    audit: z
      .object({ writable: z.boolean(), reason: z.string().optional() })
      .optional()
      .describe("Whether the audit log is written, and why not. With the bearer only."),
  })
  .meta({ id: "Health" });

/** Unknown parameters are let through, for load balancers that add their own. */
const query = z.object({
  probe: z.enum(["live", "ready"], { error: "must be live or ready" }).optional(),
});

export function healthEndpoints({ flows, runtime, audit, problems }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/health",
      action: "health.read",
      name: "getHealth",
      summary:
        "How the runtime and its routes are; with the bearer also why. probe=ready: 503 while booting or draining.",
      open: true,
      query,
      answers: { 200: jsonAnswer("The health report.", healthSchema) },
      errors: ["not_ready"],
      handle({ query: { probe }, authenticated }) {
        if (probe === "ready" && !flows.ready()) throw notReady();
        return healthReport(flows.health(), problems(), runtime, audit?.trail.status(), authenticated);
      },
    }),
  ];
}

export function notReady(): AppError {
  return new AppError("not_ready", "the runtime is not ready: it loads its flows or it drains", { "Retry-After": "1" });
}

/** `detailed`: for the holder of the token. */
export function healthReport(
  health: FlowsHealth,
  problems: readonly RuntimeProblem[],
  { version, startedAt }: RuntimeFacts,
  audit: AuditStatus | undefined,
  detailed: boolean,
) {
  const { routes, failedFiles, store } = health;
  const failed = routes.filter(({ status }) => status === "Failed" || status === "Quarantined").length;
  const complete = failed === 0 && failedFiles.length === 0;
  // That its machine is busy is worth telling, and no reason to give the runtime up.
  const sound = problems.every(({ code }) => code === "main_loop_late");
  const well = complete && sound && store.writable && audit?.writable !== false;
  return {
    status: well ? "UP" : "DEGRADED",
    uptime: Math.max(0, Date.now() - startedAt) / 1000,
    version,
    engine: { name: "bulkhead", version, dsl: "camel-yaml-4" },
    counts: {
      flows: health.flows,
      routes: routes.length,
      started: routes.filter(({ status }) => status === "Started").length,
      failed,
      failedFiles: failedFiles.length,
    },
    routes: detailed ? routes : routes.map(inPublic),
    ...(detailed && { problems, failedFiles, store, ...(audit && { audit }) }),
  };
}

function inPublic({ id, flowId, status }: RouteHealth) {
  return { id, flowId, status };
}
