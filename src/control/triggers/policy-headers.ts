/** Headers that the access policy adds to an answer: set ahead of it, whatever it is going to be. */
import type { ServerResponse } from "node:http";
import type { RateLimit } from "../access/policy.ts";
import type { Taken } from "../access/rates/rate-buckets.ts";

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
