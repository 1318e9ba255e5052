/** Reads `rules`, the short forms `roles` and `allow`, `anonymous` and `public`. */
import type * as z from "zod";
import { type AddressRange, readAddressRange } from "../../../shared/address-range.ts";
import { type Fields, isFields, readOwn } from "../../../shared/document-fields.ts";
import type { Path } from "../../../shared/document-place.ts";
import type { Rule } from "../rules.ts";
import { anything, entries, policyFields, type Reading, texts, token } from "./reading.ts";

/** The contract's actions; a flow's policy decides about `invoke`, the others need the deploy token. */
const actions: ReadonlySet<string> = new Set(
  "invoke read deploy delete test trace logs runs replay admin *".split(" "),
);

const someTexts = texts();
const methods = someTexts
  .refine((list) => list.every((method) => token.test(method)), "methods such as POST are expected")
  .transform((list) => list.map((method) => method.toUpperCase()));
const cidrs = someTexts.transform((list, { addIssue }): readonly AddressRange[] => {
  const ranges = list.map((text) => readAddressRange(text)).filter((range) => range !== undefined);
  if (ranges.length < list.length) {
    addIssue("addresses or ranges such as 10.0.0.0/8 and 2001:db8::/32 are expected");
  }
  return ranges;
});

const whatFields = { routes: anything, methods: anything, cidrs: anything };
const ruleFields = policyFields({
  ...{ allow: anything, deny: anything, name: anything, id: anything, roles: anything, principals: anything },
  ...whatFields,
});
const anonymousFields = policyFields(
  { allow: anything, ...whatFields },
  { expected: () => '{"allow": ["invoke"]} is expected' },
);

export function readRules(document: Fields, reading: Reading, shortKeys: readonly string[]): readonly Rule[] {
  const rules: Rule[] = [];
  const list = readOwn(document, "rules");
  const roles = readOwn(document, "roles");
  const names = readOwn(document, "allow");
  const nobody = "nobody is let in by it";
  if (list !== undefined) {
    const read = reading.read(entries, list, ["rules"], "they are taken for one that denies everything");
    // The list that cannot be read may contain denials.
    if (read === undefined) rules.push({ ...short("rules"), effect: "deny", everybody: true });
    for (const [i, { key, value }] of (read ?? []).entries())
      rules.push(...readRule(value, ["rules", key], i, reading));
  }
  if (roles !== undefined)
    rules.push({ ...short("roles"), roles: new Set(reading.read(texts(0), roles, ["roles"], nobody)) });
  if (names !== undefined)
    rules.push({ ...short("allow"), principals: new Set(reading.read(texts(0), names, ["allow"], nobody)) });
  if (list === undefined && roles === undefined && names === undefined && shortKeys.length > 0) {
    rules.push({ ...short("apiKeys"), principals: new Set(shortKeys) });
  }
  return [...rules, ...readAnonymous(document, reading)];
}

/**
 * Reads an entry, which may be both a permission and a denial; one that is neither counts as a denial, since it might
 * be meant as one.
 */
function readRule(value: unknown, path: Path, index: number, reading: Reading): Rule[] {
  if (!isFields(value)) {
    reading.warn("bad_value", path, "an object is expected: it is taken for a rule that denies everything");
    return [{ ...short(index), effect: "deny", everybody: true }];
  }
  const effect = "as a permission this rule never holds, as a denial it holds without that condition";
  const known = reading.read(ruleFields, value, path, effect) !== undefined;
  const { conditions, understood } = readConditions(value, path, effect, reading);
  const rule: Rule = { ...short(index), ...conditions, doubtful: !known || !understood };
  const allow = readOwn(value, "allow");
  const deny = readOwn(value, "deny");
  const found: Rule[] = [];
  if (allow !== undefined && saysInvoke(allow, [...path, "allow"], false, reading)) found.push(rule);
  const denies = deny === undefined ? allow === undefined : saysInvoke(deny, [...path, "deny"], true, reading);
  if (allow === undefined && deny === undefined) {
    reading.warn("bad_value", path, "allow or deny is needed: it is taken for a denial");
  }
  const everybody = rule.roles === undefined && rule.principals === undefined;
  if (denies) found.push({ ...rule, effect: "deny", everybody });
  return found;
}

/** Whether a list of actions includes invoke; `unknown`: the result for an unknown action. */
function saysInvoke(value: unknown, path: Path, unknown: boolean, reading: Reading): boolean {
  const list = reading.read(texts(0), value, path, unknown ? "it denies invoke" : "it permits nothing");
  for (const action of list ?? []) {
    if (action === "invoke" || action === "*") continue;
    const what = actions.has(action) ? `'${action}' is not given by policies yet` : "this is no action";
    reading.warn("action_not_enforced", path, `${what}: a policy decides about invoke`);
  }
  if (list === undefined) return unknown;
  return list.some((action) => action === "invoke" || action === "*" || (unknown && !actions.has(action)));
}

/** Reads `anonymous` and `public`: rules for callers without a name, and so for everybody. */
function readAnonymous(document: Fields, reading: Reading): Rule[] {
  const rules: Rule[] = [];
  const open = readOwn(document, "public");
  const anonymous = readOwn(document, "anonymous");
  if (open === true) rules.push({ ...short("public"), everybody: true });
  else if (open !== undefined && open !== false) {
    reading.warn("bad_value", ["public"], "true or false is expected: it is taken for false");
  }
  if (anonymous === undefined) return rules;
  const effect = "callers without a name are not let in by it";
  const path = ["anonymous"];
  const known = reading.read(anonymousFields, anonymous, path, effect) !== undefined;
  if (!isFields(anonymous)) return rules;
  const { conditions, understood } = readConditions(anonymous, path, effect, reading);
  if (known && understood && saysInvoke(readOwn(anonymous, "allow") ?? [], [...path, "allow"], false, reading)) {
    rules.push({ ...short("anonymous"), ...conditions, everybody: true });
  }
  return rules;
}

type Conditions = Pick<Rule, "roles" | "principals" | "routes" | "methods" | "ranges">;

/** Reads conditions. One that cannot be read is left out, and `understood` is false. */
function readConditions(
  from: Fields,
  path: Path,
  effect: string,
  reading: Reading,
): { readonly conditions: Conditions; readonly understood: boolean } {
  let understood = true;
  const condition = <T>(name: string, schema: z.ZodType<T>): T | undefined => {
    const value = readOwn(from, name);
    if (value === undefined) return undefined;
    const read = reading.read(schema, value, [...path, name], effect);
    if (read === undefined) understood = false;
    return read;
  };
  const conditions = {
    roles: setOf(condition("roles", someTexts)),
    principals: setOf(condition("principals", someTexts)),
    routes: condition("routes", someTexts),
    methods: setOf(condition("methods", methods)),
    ranges: condition("cidrs", cidrs),
  };
  return { conditions, understood };
}

function setOf(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list === undefined ? undefined : new Set(list);
}

function short(label: Rule["label"]): Rule {
  const none = { roles: undefined, principals: undefined, routes: undefined, methods: undefined, ranges: undefined };
  return { label, effect: "allow", everybody: false, doubtful: false, ...none };
}
