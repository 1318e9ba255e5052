/** `GET /_api/health`: the only open endpoint, answered from state of the main thread. Callers without the token share one answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import type { RouteHealth } from "../flows/flow-service.ts";
import { sendError } from "../http/reply.ts";
import type { Target } from "../http/target.ts";
import { type ProblemCode, problemCodes } from "../runs/runtime-problems.ts";
import { flowConsumerSchema } from "./consumer-schemas.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { routeStatusSchema } from "./flow-schemas.ts";
import { jsonAnswer } from "./schemas.ts";
import type { Services } from "./services.ts";

const lastErrorSchema = z.object({ type: z.string(), message: z.string(), at: z.string() }).nullable();

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
    boot: z
      .object({ flows: z.int(), loaded: z.int(), compiled: z.int() })
      .describe(
        "How far the boot is: flows that the runtime has, those that answer, are stopped or have failed, and of these those whose start has been tried. All the same when it is over.",
      ),
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
        lastError: lastErrorSchema.optional(),
      }),
    ),
    failedFiles: z.array(z.object({ file: z.string(), reason: z.string() })).optional(),
    problems: z
      .array(
        z.object({
          code: z.enum(problemCodes),
          message: z.string(),
          flowId: z.string().optional(),
          routeId: z.string().optional(),
          file: z.string().optional().describe("Of the routes directory: it is not deployed as it is."),
          failed: z.int().optional().describe("Of a failing route: how many of its last runs failed."),
          of: z.int().optional().describe("How many runs these are, at most 20 of the current deployment."),
          since: z
            .string()
            .optional()
            .describe(
              "The first failed run since the route was well; the first attempt to open the connection, or to poll, that failed.",
            ),
          lastError: lastErrorSchema.optional(),
          until: z.string().optional().describe("Then it is tried again."),
        }),
      )
      .optional()
      .describe(
        "Why it is DEGRADED, beside routes that have failed and files that could not be loaded; and what is no reason for it: a main loop that is late, routes whose runs fail, connections that cannot be opened, consumers that cannot poll, direct: targets that are missing, and failed messages that wait. With the bearer only.",
      ),
    consumers: z
      .array(flowConsumerSchema)
      .optional()
      .describe("Routes whose messages come from a source in the flow's thread. With the bearer only."),
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
  failing: z
    .enum(["degraded"], { error: "must be degraded" })
    .optional()
    .describe(
      "The status is DEGRADED, too, while at least half of the last 20 runs of a route failed, while a connection cannot be opened, and while a consumer cannot poll.",
    ),
});

export function healthEndpoints(services: Services): Endpoint[] {
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
      handle({ query: { probe, failing }, authenticated }) {
        if (probe === "ready" && !services.flows.ready()) throw notReady();
        return healthReport(services, failing === "degraded", authenticated);
      },
    }),
  ];
}

function notReady(): AppError {
  return new AppError("not_ready", "the runtime is not ready: it loads its flows or it drains", { "Retry-After": "1" });
}

/** Problems that are reported and do not make the runtime DEGRADED: a busy machine, files of flows that go on as they were, targets that calls may never need, work for operators, and failures of what flows call. */
const busy: ReadonlySet<ProblemCode> = new Set([
  "main_loop_late",
  "file_not_deployed",
  "failed_messages",
  "target_missing",
]);
const failingOrBusy: ReadonlySet<ProblemCode> = new Set([
  ...busy,
  "failing_route",
  "connection_failing",
  "consumer_failing",
]);

/** `failing`: routes whose runs fail make it DEGRADED. `detailed`: for the holder of the token. */
function healthReport(services: Services, failing: boolean, detailed: boolean) {
  const { startedAt, version } = services.runtime;
  const health = services.flows.health();
  const problems = services.problems(detailed || failing);
  const tolerated = failing ? busy : failingOrBusy;
  const audit = services.audit?.trail.status();
  const { routes, failedFiles, store } = health;
  const failed = routes.filter(({ status }) => status === "Failed" || status === "Quarantined").length;
  const complete = failed === 0 && failedFiles.length === 0;
  const sound = problems.every(({ code }) => tolerated.has(code));
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
    boot: health.boot,
    routes: detailed ? routes : routes.map(inPublic),
    ...(detailed && { problems, consumers: services.consumers(), failedFiles, store, ...(audit && { audit }) }),
  };
}

function inPublic({ id, flowId, status }: RouteHealth) {
  return { id, flowId, status };
}

const everyMs = 100;

interface Made {
  /** As of `performance.now()`. */
  readonly at: number;
  readonly body: Buffer;
}

/**
 * The health report for callers without the token. Anybody who reaches the port may ask as often as they like, and a report names
 * every route of the runtime, so it is rendered at most ten times a second.
 */
export class OpenHealth {
  readonly #services: Services;
  /** With and without routes that fail as a reason for DEGRADED. */
  readonly #made = new Map<boolean, Made>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Answers a call that the door has let in without a token; false: it is one that the endpoint itself has to refuse. */
  answer(request: IncomingMessage, response: ServerResponse, target: Target): boolean {
    if (target.path !== "/_api/health") return false;
    const probe = parameterOf(target, "probe", ["live", "ready"]) ?? "live";
    const failing = parameterOf(target, "failing", ["degraded"]);
    if (probe === unknown || failing === unknown) return false;
    if (probe === "ready" && !this.#services.flows.ready()) {
      sendError(request, response, notReady());
      return true;
    }
    const body = this.#body(failing !== undefined);
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length });
    if (request.method === "HEAD") response.end();
    else response.end(body);
    return true;
  }

  #body(failing: boolean): Buffer {
    const now = performance.now();
    const made = this.#made.get(failing);
    if (made !== undefined && now - made.at < everyMs) return made.body;
    const body = Buffer.from(JSON.stringify(healthReport(this.#services, failing, false)));
    this.#made.set(failing, { at: now, body });
    return body;
  }
}

const unknown = Symbol("unknown");

/** Of a parameter that may be absent; other parameters are let through, for load balancers that add their own. */
function parameterOf<T extends string>(
  { query }: Target,
  name: string,
  values: readonly T[],
): T | typeof unknown | undefined {
  const given = query.filter(([key]) => key === name);
  if (given.length === 0) return undefined;
  return (given.length === 1 && values.find((value) => value === given[0]?.[1])) || unknown;
}
