/** Denials for callers: enough to correct their own request, nothing about principals and rules. */
import type { Decision } from "./policy.ts";
import type { Principal } from "./principal.ts";
import type { Principals } from "./principals.ts";
import type { Rule } from "./rules.ts";

type Denial = Extract<Decision, { readonly kind: "deny" }>;

const notAllowed = "this caller is not allowed to call this route";

export class Refusals {
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
