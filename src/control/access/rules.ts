/** Decides who may invoke what: a denial outweighs every permission, and what nothing permits is denied. */
import { type AddressRange, isInRange } from "../../shared/address-range.ts";
import { wildcard } from "../../shared/ids.ts";
import type { Principal } from "./policy.ts";

/** A rule applies when all conditions that it has hold; for each, one matching value is enough. */
export interface Rule {
  /** Its place in `rules`, or the short form that it stands for. */
  readonly label: number | string;
  readonly effect: "allow" | "deny";
  /** The rule also covers callers without a name. Denials without roles and names cover everybody. */
  readonly everybody: boolean;
  /**
   * Part of the rule was not understood: a permission then never applies, and of a denial the other conditions decide.
   */
  readonly doubtful: boolean;
  readonly roles: ReadonlySet<string> | undefined;
  /** Names of principals; a provider's name stands for every bearer of one of its tokens. */
  readonly principals: ReadonlySet<string> | undefined;
  /** Route ids, in which `*` stands for any characters. */
  readonly routes: readonly string[] | undefined;
  /** Methods, in upper case. */
  readonly methods: ReadonlySet<string> | undefined;
  readonly ranges: readonly AddressRange[] | undefined;
}

export interface Asked {
  readonly principal: Principal;
  readonly method: string;
  readonly routeId: string;
  /** undefined: unknown; then no permission for a range applies, and every denial for one does. */
  readonly address: string | undefined;
}

export interface AccessVerdict {
  readonly allowed: boolean;
  readonly rule: Rule | undefined;
}

export function judge(rules: readonly Rule[], asked: Asked): AccessVerdict {
  const denial = rules.find((rule) => rule.effect === "deny" && applies(rule, asked));
  if (denial !== undefined) return { allowed: false, rule: denial };
  const permission = rules.find((rule) => rule.effect === "allow" && applies(rule, asked));
  return { allowed: permission !== undefined, rule: permission };
}

function applies(rule: Rule, asked: Asked): boolean {
  if (rule.doubtful && rule.effect === "allow") return false;
  const { roles, routes, methods } = rule;
  return (
    (rule.everybody || asked.principal.type !== "anonymous") &&
    (roles === undefined || asked.principal.roles.some((role) => roles.has(role))) &&
    isNamed(rule, asked.principal) &&
    (routes === undefined || routes.some((route) => wildcard(route, asked.routeId))) &&
    (methods === undefined || methods.has("*") || methods.has(asked.method)) &&
    isFrom(rule, asked.address)
  );
}

function isNamed({ principals }: Rule, { id, type }: Principal): boolean {
  if (principals === undefined || principals.has("*") || principals.has(id)) return true;
  return type === "jwt" && principals.has(id.slice(0, id.indexOf(":")));
}

function isFrom({ ranges, effect }: Rule, address: string | undefined): boolean {
  if (ranges === undefined) return true;
  return address === undefined ? effect === "deny" : ranges.some((range) => isInRange(range, address));
}
