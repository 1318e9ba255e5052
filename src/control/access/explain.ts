/** Explains what a policy would decide about a caller, and why, for those who manage it. */
import { plainAddress } from "../../shared/address-range.ts";
import { FlowPolicy } from "./flow-policy.ts";
import type { Policy, Principal } from "./policy.ts";
import { judge } from "./rules.ts";
import { invalidity } from "./validity.ts";

export interface AccessQuestion {
  /** A principal's name, `idp:alice` for a token's bearer; null or absent: a caller without a name. */
  readonly as?: string | null | undefined;
  /** For a token's bearer: the roles that its token would bring. */
  readonly roles?: readonly string[] | undefined;
  readonly route: string;
  /** The method; absent: POST. */
  readonly method?: string | undefined;
  /** The address; absent: unknown, so nothing is allowed that depends on an address. */
  readonly address?: string | undefined;
}

export interface Explanation {
  readonly allowed: boolean;
  /** The caller's name; null: it has none, or there is no such principal. */
  readonly principal: string | null;
  readonly roles: readonly string[];
  /** What decided: the rule's place in `rules`, or the short form's name; null: nothing allows it. */
  readonly rule: number | string | null;
  readonly reason: string;
  readonly mode: Policy["mode"];
  readonly understood: boolean;
}

export function explain(policy: Policy, question: AccessQuestion): Explanation {
  const { mode, understood } = policy;
  const nobody = { allowed: false, principal: null, roles: [], rule: null, mode, understood };
  if (!(policy instanceof FlowPolicy)) return { ...nobody, reason: "this policy does not say why" };
  const { closed, rules } = policy.facts;
  if (closed !== undefined) return { ...nobody, reason: `${closed.reason}: only the deploy token gets in` };
  const principal = principalOf(policy, question);
  if (typeof principal === "string") return { ...nobody, reason: principal };
  const { address, route, method = "POST" } = question;
  const from = address === undefined ? undefined : plainAddress(address);
  if (address !== undefined && from === undefined)
    return { ...nobody, reason: `'${address.slice(0, 100)}' is no address` };
  const asked = { principal, method: method.toUpperCase(), routeId: route, address: from };
  const { allowed, rule } = judge(rules, asked);
  const named = principal.type === "anonymous" ? null : principal.id;
  const known = { principal: named, roles: principal.roles, mode, understood };
  if (rule !== undefined) {
    return { ...known, allowed, rule: rule.label, reason: `rule ${rule.label} ${allowed ? "allows" : "denies"} it` };
  }
  const anywhere = judge(
    rules.map((one) => ({ ...one, ranges: undefined })),
    asked,
  );
  const near = address === undefined && anywhere.allowed ? anywhere.rule : undefined;
  const reason =
    near === undefined
      ? "no rule allows it"
      : `rule ${near.label} allows it from some addresses only: say from which one`;
  return { ...known, allowed: false, rule: null, reason };
}

/** Finds the principal, or returns the reason why there is none. */
function principalOf(policy: FlowPolicy, { as, roles = [] }: AccessQuestion): Principal | string {
  if (as === undefined || as === null) return { id: "anonymous", type: "anonymous", roles: [] };
  const { apiKeys, hmacs, jwts } = policy.facts.principals;
  const { now } = policy;
  const [name = ""] = as.split(":");
  const token = jwts.find((one) => one.name === name);
  const found = [...apiKeys, ...hmacs].find((one) => one.name === as) ?? token;
  if (found === undefined) return "no principal of this name can be recognised";
  const problem = invalidity(found.validity, now);
  if (problem !== undefined) return `the principal is ${problem}`;
  if (found.type === "jwt") {
    if (as.length <= name.length + 1) return `a token's bearer has a name behind its provider's: ${name}:alice`;
    return { id: as, type: "jwt", roles: [...new Set([...found.roles, ...roles])] };
  }
  if (found.type === "apiKey" && found.keys.every((key) => invalidity(key.validity, now) !== undefined)) {
    return "none of the principal's keys is valid now";
  }
  return { id: found.name, type: found.type, roles: found.roles };
}
