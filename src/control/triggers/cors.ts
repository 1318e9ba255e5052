/** CORS headers for a flow whose policy lets scripts of other origins call it (WHATWG Fetch, 3.2). */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cors } from "../access/policy.ts";
import { requestIdOf } from "../http/reply.ts";

const requestMethod = "access-control-request-method";

/** Whether a request is the OPTIONS that a browser sends ahead of a call, always without credentials. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers[requestMethod] !== undefined;
}

/** Answers 204; without any permission to an origin that is not allowed, which its browser takes as a refusal. */
export function answerPreflight(cors: Cors, request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request;
  const allowed = allowOrigin(cors, headers.origin, response);
  response.setHeader("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
  if (allowed) {
    response.setHeader("Access-Control-Allow-Methods", cors.methods.join(", "));
    if (cors.headers.length > 0) response.setHeader("Access-Control-Allow-Headers", cors.headers.join(", "));
    response.setHeader("Access-Control-Max-Age", String(cors.maxAgeSeconds));
  }
  response.setHeader("X-Request-Id", requestIdOf(request));
  response.writeHead(204).end();
}

/** Sets the headers before the call is answered, since scripts read errors, too. */
export function setCorsHeaders(cors: Cors, { headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Vary", "Origin");
  const allowed = allowOrigin(cors, headers.origin, response);
  if (allowed && cors.exposed.length > 0) {
    response.setHeader("Access-Control-Expose-Headers", cors.exposed.join(", "));
  }
}

/**
 * Sets the allowed origin; returns whether it is allowed. `*` is never combined with credentials: browsers refuse that,
 * and an origin that could be anybody's must not be echoed.
 */
function allowOrigin({ origins, credentials }: Cors, origin: string | undefined, response: ServerResponse): boolean {
  const any = origins.includes("*");
  if (origin === undefined || (!any && !origins.includes(origin))) return false;
  response.setHeader("Access-Control-Allow-Origin", any ? "*" : origin);
  if (credentials && !any) response.setHeader("Access-Control-Allow-Credentials", "true");
  return true;
}
