/**
 * Headers that the access policy adds to an answer: set ahead of it, whatever it is going to be. With those of CORS, if scripts of other
 * origins may call the flow (WHATWG Fetch, 3.2).
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cors, RateLimit } from "../access/policy.ts";
import type { Taken } from "../access/rates.ts";
import { requestIdOf } from "../http/reply.ts";

const cors = /^access-control-/i;

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers-06. */
export function setRateHeaders(response: ServerResponse, { burst }: RateLimit, { remaining, fullAfter }: Taken): void {
  response.setHeader("RateLimit-Limit", String(burst));
  response.setHeader("RateLimit-Remaining", String(remaining));
  response.setHeader("RateLimit-Reset", String(fullAfter));
}

/** Removes headers that an older policy has set. */
export function clearPolicyHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) {
    if (name === "vary" || name.startsWith("ratelimit-") || cors.test(name)) response.removeHeader(name);
  }
}

/**
 * Joins the flow's headers (names and values alternating) with those of the response, which take precedence: a flow
 * does not widen its policy. `offersCors`: the flow's own `Access-Control-` headers are dropped.
 */
export function withPolicyHeaders(response: ServerResponse, headers: readonly string[], offersCors: boolean): string[] {
  const own = response.getHeaderNames();
  const all: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = (headers[i] as string).toLowerCase();
    const replaced = own.includes(name) && name !== "vary";
    if (replaced || (offersCors && cors.test(name))) continue;
    all.push(headers[i] as string, headers[i + 1] as string);
  }
  for (const name of own) {
    all.push(name, String(response.getHeader(name)));
    response.removeHeader(name);
  }
  return all;
}

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
