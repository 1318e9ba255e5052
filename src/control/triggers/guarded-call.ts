/**
 * One call to a flow with a policy: what its head decides, what has to wait for its body, and the place that it takes.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Decision, Policy, Principal } from "../access/policy.ts";
import { addressKey, type TakenCall } from "../access/rates.ts";
import {
  CallSeat,
  clearPolicyHeaders,
  type PolicyGuard,
  setCorsHeaders,
  setRateHeaders,
  withPolicyHeaders,
} from "./policy-guard.ts";

/** Which route of which flow is called. */
export interface Called {
  readonly flowId: string;
  readonly routeId: string;
}

/** The most characters of a name that a run record keeps. */
const nameCharacters = 256;
const noBytes = new Uint8Array();

type Denied = Extract<Decision, { kind: "deny" }>;
type Waiting = Extract<Decision, { kind: "body" }>;

export class GuardedCall {
  readonly #guard: PolicyGuard;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #address: string;
  #called: Called;
  #policy: Policy | undefined;
  #waiting: Waiting | undefined;
  #principal: Principal | undefined;
  /** true: the call has taken its token of the rate limit. */
  #paid = false;
  readonly #seat: CallSeat;
  /** Lets a signed delivery be repeated. */
  #forget: (() => void) | undefined;

  constructor(guard: PolicyGuard, called: Called, request: IncomingMessage, response: ServerResponse) {
    this.#guard = guard;
    this.#request = request;
    this.#response = response;
    this.#called = called;
    this.#address = guard.addressOf(request);
    this.#seat = new CallSeat(guard.seats);
  }

  /** Lower-case names of headers that the flow does not get. */
  get credentialHeaders(): ReadonlySet<string> | undefined {
    return this.#policy?.credentialHeaders;
  }

  /** Headers about the caller, to be added to the message's own. */
  get headers(): string {
    return this.#principal === undefined ? "" : principalHeaders(this.#principal);
  }

  /** true: a signature over the body decides. */
  get signed(): boolean {
    return this.#waiting !== undefined;
  }

  /** The caller's name in run records. */
  get name(): string | undefined {
    return this.#principal && nameOf(this.#principal).slice(0, nameCharacters);
  }

  /** The owner of the call's idempotency keys; undefined: the policy has not identified the caller. */
  get keyOwner(): string | undefined {
    return this.#principal === undefined || this.#principal.type === "anonymous" ? undefined : nameOf(this.#principal);
  }

  /** Decides by the head. Throws AppError, or rejects with it when it has to wait for keys. */
  head(): void | Promise<void> {
    return this.#decide(undefined);
  }

  /**
   * Decides once the body is there, by its signature. If the policy, or the route that answers, has changed since the
   * head came, everything is decided anew.
   */
  whole(called: Called, body: Uint8Array | undefined): void | Promise<void> {
    const bytes = body ?? noBytes;
    const policy = this.#guard.policy(called.flowId);
    const { flowId, routeId } = this.#called;
    if (policy !== this.#policy || called.flowId !== flowId || called.routeId !== routeId) {
      this.#called = called;
      return this.#decide(bytes);
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#settle(waiting.decide(bytes), bytes);
  }

  /** The call is over, or was refused: gives its place back. More calls have no effect. */
  leave(): void {
    this.#seat.leave();
  }

  /** The call was answered, by its own run or by repeating an earlier answer: a signed delivery is used up. */
  answered(): void {
    this.#forget = undefined;
    this.leave();
  }

  /** The call began no run: a signed delivery may be repeated. */
  turnedAway(): void {
    this.#allowRepeat();
    this.leave();
  }

  /** Returns the answer's headers, names and values alternating. */
  answerHeaders(headers: readonly string[]): string[] {
    return withPolicyHeaders(this.#response, headers, this.#policy?.cors !== undefined);
  }

  #decide(body: Uint8Array | undefined): void | Promise<void> {
    const policy = this.#guard.policy(this.#called.flowId);
    this.#policy = policy;
    this.#waiting = undefined;
    this.#principal = undefined;
    this.#allowRepeat();
    clearPolicyHeaders(this.#response);
    if (policy === undefined) return;
    if (policy.cors !== undefined) setCorsHeaders(policy.cors, this.#request, this.#response);
    const { method = "" } = this.#request;
    const headers = this.#guard.headersOf(this.#request);
    const { routeId } = this.#called;
    const deployToken = this.#guard.hasDeployToken(this.#request);
    const decision = policy.decide({ method, routeId, headers, address: this.#address, deployToken });
    if (!(decision instanceof Promise)) return this.#settle(decision, body);
    return decision.then((late) => {
      // The decision of an older policy no longer counts.
      return this.#guard.policy(this.#called.flowId) === policy ? this.#settle(late, body) : this.#decide(body);
    });
  }

  #settle(decision: Decision, body: Uint8Array | undefined): void {
    if (decision.kind === "allow") {
      this.#forget = decision.forget;
      this.#allow(decision.principal);
    } else if (decision.kind === "deny") this.#deny(decision);
    else if (body !== undefined) this.#settle(decision.decide(body), body);
    // It waits without a place: strangers can send signatures, too, and then their bodies slowly.
    else this.#waiting = decision;
  }

  #allow(principal: Principal): void {
    if (principal.type !== "deployToken") {
      if (principal.type === "apiKey" && this.#enforced) {
        const taken = this.#guard.guesses.right(this.#called.flowId, this.#credentials(), this.#address);
        if (!taken.ok) this.#refuseGuesses(taken);
      }
      if (!canBeNamed(principal)) {
        this.#refuse("forbidden", "the caller's name has characters that no header can hold");
        return;
      }
      this.#pay(principal);
      this.#sit();
    }
    this.#principal = principal;
  }

  #deny({ code, message, challenge, reason, principal }: Denied): void {
    if (this.#enforced && code === "unauthenticated" && this.#credentials() !== "") {
      const taken = this.#guard.guesses.failed(this.#address);
      if (!taken.ok) this.#refuseGuesses(taken);
    }
    this.#refuse(code, message, challenge === undefined ? {} : { "WWW-Authenticate": challenge }, reason);
    if (principal !== undefined && canBeNamed(principal)) this.#principal = principal;
  }

  /** Takes a token of the caller's bucket. */
  #pay(principal: Principal): void {
    const policy = this.#policy as Policy;
    const anonymous = principal.type === "anonymous";
    const limit = anonymous ? policy.perAddress : policy.perPrincipal;
    if (limit === undefined || this.#paid) return;
    const { principals, addresses } = this.#guard;
    const { flowId } = this.#called;
    const taken = anonymous
      ? addresses.take(`${flowId}\n${addressKey(this.#address)}`, limit)
      : principals.take(`${flowId}\n${nameOf(principal)}`, limit);
    if (this.#enforced) setRateHeaders(this.#response, limit, taken);
    this.#paid = taken.ok;
    if (taken.ok) return;
    const headers = { "Retry-After": String(taken.retryAfter) };
    this.#refuse("rate_limited", "too many calls: try again later", headers, `${nameOf(principal)} calls too often`);
  }

  /** Takes one of the policy's places for calls under way. */
  #sit(): void {
    const { flowId } = this.#called;
    const most = this.#policy?.maxInflight;
    if (!this.#seat.hasRoom(flowId, most)) {
      this.#refuse("too_many_in_flight", "too many calls are under way: try again later", { "Retry-After": "1" });
    }
    if (most !== undefined) this.#seat.take(flowId);
  }

  #refuseGuesses({ retryAfter }: TakenCall): void {
    const message = "too many failed authentications: try again later";
    this.#refuse("rate_limited", message, { "Retry-After": String(retryAfter) }, "too many failed authentications");
  }

  #allowRepeat(): void {
    this.#forget?.();
    this.#forget = undefined;
  }

  /** Notes a denial, and throws it unless the policy only reports. */
  #refuse(
    code: ErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    reason: string = message,
  ): void {
    const { mode = "enforce" } = this.#policy ?? {};
    this.#guard.denials.note({ flowId: this.#called.flowId, code, mode, reason });
    if (mode === "enforce") throw new AppError(code, message, headers);
  }

  get #enforced(): boolean {
    return this.#policy?.mode === "enforce";
  }

  /** Returns the headers with which the caller presented credentials; "": none. */
  #credentials(): string {
    const { headers } = this.#request;
    const names = [...(this.#policy?.credentialHeaders ?? [])].filter((name) => headers[name] !== undefined);
    return names.map((name) => `${name}: ${headers[name]}`).join("\n");
  }
}

const prefixes = { apiKey: "key:", hmac: "hmac:", jwt: "jwt:" } as const;
/** Control characters; a line break would begin another header of the message. */
const control = /\p{Cc}/u;

/** Whether headers can carry the caller's name; false: it has control characters. */
export function canBeNamed({ id }: Principal): boolean {
  return !control.test(id);
}

/** Returns the caller's name with its type: `key:shop`, `jwt:idp:alice`. */
export function nameOf({ type, id }: Principal): string {
  return type === "deployToken" || type === "anonymous" ? type : prefixes[type] + id;
}

/**
 * Returns headers that only the runtime sets, as `\nname\nvalue...`. A role with a comma is left out: it would read as
 * two.
 */
export function principalHeaders({ id, type, roles }: Principal): string {
  const named = roles.filter((role) => !role.includes(",") && !control.test(role));
  return `\nCamelPrincipal\n${id}\nCamelPrincipalType\n${type}\nCamelPrincipalRoles\n${named.join(",")}`;
}
