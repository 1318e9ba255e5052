/**
 * The health report for callers without the token: bytes that are made at most ten times a second, however many ask. Anybody who
 * reaches the port may ask as often as they like, and a report names every route of the runtime.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendError } from "../http/reply.ts";
import type { Target } from "../http/target.ts";
import { healthReport, notReady } from "./health.ts";
import type { Services } from "./services.ts";

const everyMs = 100;
const path = "/_api/health";

interface Made {
  /** As of `performance.now()`. */
  readonly at: number;
  readonly body: Buffer;
}

export class OpenHealth {
  readonly #services: Services;
  #made: Made | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Answers a call that the door has let in without a token; false: it is one that the endpoint itself has to refuse. */
  answer(request: IncomingMessage, response: ServerResponse, target: Target): boolean {
    const probe = probeOf(target);
    if (target.path !== path || probe === undefined) return false;
    if (probe === "ready" && !this.#services.flows.ready()) {
      sendError(request, response, notReady());
      return true;
    }
    const body = this.#body();
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length });
    if (request.method === "HEAD") response.end();
    else response.end(body);
    return true;
  }

  #body(): Buffer {
    const now = performance.now();
    if (this.#made !== undefined && now - this.#made.at < everyMs) return this.#made.body;
    const { flows, problems, runtime, audit } = this.#services;
    const report = healthReport(flows.health(), problems(), runtime, audit?.trail.status(), false);
    const body = Buffer.from(JSON.stringify(report));
    this.#made = { at: now, body };
    return body;
  }
}

/** Undefined: none that there is. Other parameters are let through, for load balancers that add their own. */
function probeOf({ query }: Target): "live" | "ready" | undefined {
  const probes = query.filter(([name]) => name === "probe");
  if (probes.length === 0) return "live";
  const value = probes.length === 1 ? probes[0]?.[1] : undefined;
  return value === "live" || value === "ready" ? value : undefined;
}
