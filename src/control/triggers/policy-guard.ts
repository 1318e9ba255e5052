/** Shared by all calls to flows with a policy: the policies, and the counts of callers. */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Limits } from "../../shared/limits.ts";
import { clientAddress, type TrustedProxies } from "../access/client-address.ts";
import type { Denials } from "../access/denials.ts";
import type { Policy } from "../access/policy.ts";
import { Guesses, TokenBuckets } from "../access/rates.ts";
import type { Authenticator } from "../http/auth.ts";

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
