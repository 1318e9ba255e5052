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
  /** With and without routes that fail as a reason for DEGRADED. */
  readonly #made = new Map<boolean, Made>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Answers a call that the door has let in without a token; false: it is one that the endpoint itself has to refuse. */
  answer(request: IncomingMessage, response: ServerResponse, target: Target): boolean {
    if (target.path !== path) return false;
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
