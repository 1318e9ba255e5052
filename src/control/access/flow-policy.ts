/** A policy that decides: it identifies the caller, then applies the rules. */
import { credentialHeaders, oneOf, type Presented, presentedIn } from "./credentials.ts";
import type { Caller, Cors, Decision, Policy, PolicyLimits, PolicyWarning, Principal, RateLimit } from "./policy.ts";
import type { Finding, Principals } from "./principals.ts";
import { judge, type Rule } from "./rules.ts";
import { findSignature, type ReplayCache, type SecretValues, type Signature } from "./schemes/hmac.ts";
import { findToken } from "./schemes/jwt.ts";
import type { JwksCache } from "./schemes/provider-keys.ts";

export interface PolicyFacts extends PolicyLimits {
  readonly mode: Policy["mode"];
  /** Present: only the deploy token is let in. */
  readonly closed: { readonly code: "forbidden" | "policy_unavailable"; readonly reason: string } | undefined;
  readonly warnings: readonly PolicyWarning[];
  readonly cors: Cors | undefined;
  readonly principals: Principals;
  readonly rules: readonly Rule[];
}

export interface PolicyParts {
  readonly flowId: string;
  readonly secrets: SecretValues;
  readonly replay: ReplayCache;
  readonly jwks: JwksCache;
  readonly clock: () => number;
}

const anonymous: Principal = { id: "anonymous", type: "anonymous", roles: [] };
const deployToken: Principal = { id: "deployToken", type: "deployToken", roles: [] };

export class FlowPolicy implements Policy {
  readonly mode: Policy["mode"];
  readonly understood: boolean;
  readonly warnings: readonly PolicyWarning[];
  readonly perPrincipal: RateLimit | undefined;
  readonly perAddress: RateLimit | undefined;
  readonly maxInflight: number | undefined;
  readonly cors: Cors | undefined;
  readonly credentialHeaders: ReadonlySet<string>;
  readonly facts: PolicyFacts;
  readonly #parts: PolicyParts;
  readonly #refusals: Refusals;

  constructor(facts: PolicyFacts, parts: PolicyParts) {
    this.facts = facts;
    this.mode = facts.mode;
    this.understood = facts.closed === undefined;
    this.warnings = facts.warnings;
    this.perPrincipal = facts.perPrincipal;
    this.perAddress = facts.perAddress;
    this.maxInflight = facts.maxInflight;
    this.cors = facts.cors;
    this.credentialHeaders = credentialHeaders(facts.principals);
    this.#parts = parts;
    this.#refusals = new Refusals(facts.principals);
  }

  get now(): number {
    return this.#parts.clock();
  }

  /**
   * Every credential that belongs to a scheme of the policy must be valid, and all must belong to one principal: a
   * wrong one is never let through because of a right one beside it.
   */
  decide(caller: Caller): Decision | Promise<Decision> {
    if (caller.deployToken) return { kind: "allow", principal: deployToken };
    const { closed, principals } = this.facts;
    if (closed !== undefined) return this.#refusals.closed(closed.code, closed.reason);
    const presented = presentedIn(caller.headers, principals, this.now);
    const { findings, token, signatures } = presented;
    if (token === undefined && signatures.length === 0) return this.#conclude(caller, findings);
    return this.#decideLater(caller, presented).catch(() => this.#refusals.unavailable("the decision has failed"));
  }

  async #decideLater(caller: Caller, { findings, token, signatures }: Presented): Promise<Decision> {
    const { flowId, jwks, replay, secrets } = this.#parts;
    const found = [...findings];
    const waiting: Signature[] = [];
    if (token !== undefined) found.push(await findToken(token, this.facts.principals.jwts, this.now, jwks));
    for (const principals of signatures) {
      const finding = await findSignature(caller.headers, principals, this.now, { flowId, secrets, replay });
      if (typeof finding === "function") waiting.push(finding);
      else found.push(finding);
    }
    if (waiting.length === 0 || found.some(({ kind }) => kind !== "known")) return this.#conclude(caller, found);
    return {
      kind: "body",
      decide: (body) => {
        const signed = waiting.map((signature) => signature(body));
        return this.#conclude(
          caller,
          [...found, ...signed],
          signed.map(({ take }) => take).filter((take) => take !== undefined),
        );
      },
    };
  }

  /** `takes` are called when the rules let the caller in, so that a refused delivery is not used up. */
  #conclude(caller: Caller, findings: readonly Finding[], takes: readonly (() => Finding)[] = []): Decision {
    const finding = oneOf(findings);
    if (finding?.kind === "invalid") return this.#refusals.invalid(finding.reason, finding.token);
    if (finding?.kind === "unavailable") return this.#refusals.unavailable(finding.reason);
    const principal = finding?.principal ?? anonymous;
    const { allowed, rule } = judge(this.facts.rules, { ...caller, principal });
    if (!allowed) return this.#refusals.denied(principal, rule);
    const taken: (() => void)[] = [];
    const forget = (): void => {
      for (const one of taken) one();
    };
    for (const take of takes) {
      const result = take();
      if (result.kind === "known" && result.forget !== undefined) taken.push(result.forget);
      if (result.kind !== "invalid") continue;
      forget();
      return this.#refusals.invalid(result.reason);
    }
    return taken.length === 0 ? { kind: "allow", principal } : { kind: "allow", principal, forget };
  }
}

type Denial = Extract<Decision, { readonly kind: "deny" }>;

const notAllowed = "this caller is not allowed to call this route";

/** Denials for callers: enough to correct their own request, nothing about principals and rules. */
class Refusals {
  /** The schemes that would be accepted (RFC 9110 11.6.1). RFC 6750 3 asks for `error` when a bearer token was sent. */
  readonly #schemes: readonly string[];

  constructor({ apiKeys, jwts, hmacs }: Principals) {
    const bearer = apiKeys.length + jwts.length > 0 ? ['Bearer realm="flow"'] : [];
    const apiKey = apiKeys.length > 0 ? ['ApiKey realm="flow"'] : [];
    const hmac = hmacs.length > 0 ? ['HMAC realm="flow"'] : [];
    this.#schemes = [...bearer, ...apiKey, ...hmac];
  }

  invalid(reason: string, token = false): Denial {
    const message = "the credentials that were presented are not valid";
    return { kind: "deny", code: "unauthenticated", message, challenge: this.#challenge(token), reason };
  }

  unavailable(reason: string): Denial {
    const message = "who calls cannot be found out now: try again later";
    return { kind: "deny", code: "policy_unavailable", message, reason };
  }

  closed(code: "forbidden" | "policy_unavailable", reason: string): Denial {
    const message = code === "forbidden" ? notAllowed : "the access policy of this flow is not available";
    return { kind: "deny", code, message, reason };
  }

  /** Answers 401 to a caller without a name where one could help, else 403. */
  denied(principal: Principal, rule: Rule | undefined): Denial {
    const reason = rule === undefined ? "no rule allows it" : `rule ${rule.label} denies it`;
    if (principal.type === "anonymous" && this.#schemes.length > 0) {
      const message = "this route asks for credentials";
      return {
        kind: "deny",
        code: "unauthenticated",
        message,
        challenge: this.#challenge(false),
        reason: `no credentials: ${reason}`,
      };
    }
    return {
      kind: "deny",
      code: "forbidden",
      message: notAllowed,
      reason,
      ...(principal.type !== "anonymous" && { principal }),
    };
  }

  #challenge(token: boolean): string {
    const [first = "", ...others] = this.#schemes;
    return [token ? `${first}, error="invalid_token"` : first, ...others].join(", ");
  }
}
