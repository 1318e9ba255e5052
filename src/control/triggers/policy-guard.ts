/**
 * What calls to flows with an access policy share: the policies, the counts of callers, and the headers that a policy adds to every answer,
 * with those of CORS if scripts of other origins may call the flow (WHATWG Fetch, 3.2).
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Limits } from "../../shared/limits.ts";
import { clientAddress, type TrustedProxies } from "../access/client-address.ts";
import type { Denials } from "../access/denials.ts";
import type { Cors, Policy, RateLimit } from "../access/policy.ts";
import { Guesses, type TakenCall, TokenBuckets } from "../access/rates.ts";
import type { Authenticator } from "../http/auth.ts";
import { requestIdOf } from "../http/reply.ts";

export interface GuardOptions {
  readonly policies: { get(flowId: string): Policy | undefined };
  readonly denials: Denials;
  readonly proxies: TrustedProxies;
  readonly authenticator: Pick<Authenticator, "check">;
  readonly limits: Pick<Limits, "authFailuresPerMinute" | "rateBuckets">;
}

export class PolicyGuard {
  readonly denials: Denials;
  readonly principals: TokenBuckets;
  readonly addresses: TokenBuckets;
  readonly guesses: Guesses;
  readonly seats = new Seats();
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    const { authFailuresPerMinute, rateBuckets } = options.limits;
    this.#options = options;
    this.denials = options.denials;
    this.principals = new TokenBuckets(rateBuckets);
    this.addresses = new TokenBuckets(rateBuckets);
    this.guesses = new Guesses(authFailuresPerMinute, rateBuckets);
  }

  /** Returns the flow's policy; undefined: the flow is open. */
  policy(flowId: string): Policy | undefined {
    return this.#options.policies.get(flowId);
  }

  addressOf({ socket, headers }: IncomingMessage): string {
    const forwarded = headers["x-forwarded-for"];
    const text = typeof forwarded === "string" ? forwarded : forwarded?.join(",");
    return clientAddress(socket.remoteAddress, text, this.#options.proxies);
  }

  /**
   * Returns the headers, with several Authorization headers joined into one that is not valid: Node keeps the first,
   * and a proxy in front may have looked at another.
   */
  headersOf({ headers, rawHeaders }: IncomingMessage): IncomingHttpHeaders {
    if (headers.authorization === undefined) return headers;
    const all = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "authorization");
    return all.length === 1 ? headers : { ...headers, authorization: all.join(", ") };
  }

  hasDeployToken(request: IncomingMessage): boolean {
    return this.#options.authenticator.check(request) === "ok";
  }
}

/** Counts the taken places of each flow with such a limit; counts outlast a change of the policy. */
export class Seats {
  readonly #taken = new Map<string, number>();

  taken(flowId: string): number {
    return this.#taken.get(flowId) ?? 0;
  }

  add(flowId: string, more: 1 | -1): void {
    const now = this.taken(flowId) + more;
    if (now > 0) this.#taken.set(flowId, now);
    else this.#taken.delete(flowId);
  }
}

/** A call's place among the flow's calls under way (`concurrency.maxInflight`). */
export class CallSeat {
  readonly #seats: Seats;
  /** The flow in which a place is taken; undefined: none is. */
  #of: string | undefined;

  constructor(seats: Seats) {
    this.#seats = seats;
  }

  /** Whether the call has a place or can take one. `most` undefined: there is no limit any more. */
  hasRoom(flowId: string, most: number | undefined): boolean {
    if (this.#of !== undefined && (most === undefined || this.#of !== flowId)) this.leave();
    return most === undefined || this.#of !== undefined || this.#seats.taken(flowId) < most;
  }

  take(flowId: string): void {
    if (this.#of !== undefined) return;
    this.#of = flowId;
    this.#seats.add(flowId, 1);
  }

  /** Gives the place back; more calls have no effect. */
  leave(): void {
    if (this.#of === undefined) return;
    this.#seats.add(this.#of, -1);
    this.#of = undefined;
  }
}

const cors = /^access-control-/i;

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers-06. */
export function setRateHeaders(
  response: ServerResponse,
  { burst }: RateLimit,
  { remaining, fullAfter }: TakenCall,
): void {
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
