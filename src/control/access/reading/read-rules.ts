/** `rules`, the short forms `roles` and `allow`, `anonymous` and `public`. */
import { type AddressRange, readAddressRange } from "../../../shared/address-range.ts";
import type { Rule } from "../rules.ts";
import { token } from "./header-names.ts";
import { type Fields, isFields, own, place, type Reading } from "./reading.ts";

/** Actions of the contract; of these a flow's policy decides about `invoke`, the others need the deploy token. */
const actions: ReadonlySet<string> = new Set(
  "invoke read deploy delete test trace logs runs replay admin *".split(" "),
);
const whoFields = ["roles", "principals"] as const;
const whatFields = ["routes", "methods", "cidrs"] as const;

export function readRules(document: Fields, reading: Reading, shortKeys: readonly string[]): readonly Rule[] {
  const rules: Rule[] = [];
  const list = own(document, "rules");
  const roles = own(document, "roles");
  const names = own(document, "allow");
  if (list !== undefined) {
    const entries = reading.entries(list, "/rules");
    // There may have been denials among them.
    if (entries === undefined) rules.push({ ...short("rules"), effect: "deny", everybody: true });
    for (const [i, { value, pointer }] of (entries ?? []).entries())
      rules.push(...readRule(value, pointer, i, reading));
  }
  if (roles !== undefined) rules.push({ ...short("roles"), roles: new Set(reading.texts(roles, "/roles", 0)) });
  if (names !== undefined) rules.push({ ...short("allow"), principals: new Set(reading.texts(names, "/allow", 0)) });
  if (list === undefined && roles === undefined && names === undefined && shortKeys.length > 0) {
    rules.push({ ...short("apiKeys"), principals: new Set(shortKeys) });
  }
  return [...rules, ...readAnonymous(document, reading)];
}

/** It may be both a permission and a denial; one that is neither is taken for a denial, since it might be meant as one. */
function readRule(value: unknown, pointer: string, index: number, reading: Reading): Rule[] {
  if (!isFields(value)) {
    reading.bad(pointer, "an object is expected: it is taken for a rule that denies everything");
    return [{ ...short(index), effect: "deny", everybody: true }];
  }
  const effect = "as a permission this rule never holds, as a denial it holds without that condition";
  const known = reading.allKnown(value, pointer, ["allow", "deny", "name", "id", ...whoFields, ...whatFields], effect);
  const { conditions, understood } = readConditions(value, pointer, [...whoFields, ...whatFields], reading);
  const rule: Rule = { ...short(index), ...conditions, doubtful: !known || !understood };
  const allow = own(value, "allow");
  const deny = own(value, "deny");
  const found: Rule[] = [];
  if (allow !== undefined && saysInvoke(allow, place(pointer, "allow"), false, reading)) found.push(rule);
  const denies = deny === undefined ? allow === undefined : saysInvoke(deny, place(pointer, "deny"), true, reading);
  if (allow === undefined && deny === undefined)
    reading.bad(pointer, "allow or deny is needed: it is taken for a denial");
  const everybody = rule.roles === undefined && rule.principals === undefined;
  if (denies) found.push({ ...rule, effect: "deny", everybody });
  return found;
}

/** Whether a list of actions means invoke; `unknown`: what an action means that is not known. */
function saysInvoke(value: unknown, pointer: string, unknown: boolean, reading: Reading): boolean {
  const list = reading.texts(value, pointer, 0);
  for (const action of list ?? []) {
    if (action === "invoke" || action === "*") continue;
    const what = actions.has(action) ? `'${action}' is not given by policies yet` : "this is no action";
    reading.warn("action_not_enforced", pointer, `${what}: a policy decides about invoke`);
  }
  if (list === undefined) return unknown;
  return list.some((action) => action === "invoke" || action === "*" || (unknown && !actions.has(action)));
}

/** Of `anonymous` and `public`: for callers without a name, and so for everybody. */
function readAnonymous(document: Fields, reading: Reading): Rule[] {
  const rules: Rule[] = [];
  const open = own(document, "public");
  const anonymous = own(document, "anonymous");
  if (open === true) rules.push({ ...short("public"), everybody: true });
  else if (open !== undefined && open !== false)
    reading.bad("/public", "true or false is expected: it is taken for false");
  if (anonymous === undefined) return rules;
  if (!isFields(anonymous)) {
    reading.bad("/anonymous", `{"allow": ["invoke"]} is expected: callers without a name are not let in by it`);
    return rules;
  }
  const effect = "callers without a name are not let in by it";
  const known = reading.allKnown(anonymous, "/anonymous", ["allow", ...whatFields], effect);
  const { conditions, understood } = readConditions(anonymous, "/anonymous", whatFields, reading);
  if (known && understood && saysInvoke(own(anonymous, "allow") ?? [], "/anonymous/allow", false, reading)) {
    rules.push({ ...short("anonymous"), ...conditions, everybody: true });
  }
  return rules;
}

type Conditions = Pick<Rule, "roles" | "principals" | "routes" | "methods" | "ranges">;

/** A condition that cannot be read is left out, and `understood` is false. */
function readConditions(
  fields: Fields,
  pointer: string,
  names: readonly string[],
  reading: Reading,
): { readonly conditions: Conditions; readonly understood: boolean } {
  const given = names.filter((name) => own(fields, name) !== undefined);
  const lists = new Map(given.map((name) => [name, reading.texts(own(fields, name), place(pointer, name))]));
  const ranges = lists.get("cidrs")?.map((text) => readAddressRange(text));
  const methods = lists.get("methods");
  const badRange = ranges?.includes(undefined) === true;
  const badMethod = methods?.some((method) => !token.test(method)) === true;
  if (badRange)
    reading.bad(place(pointer, "cidrs"), "addresses or ranges such as 10.0.0.0/8 and 2001:db8::/32 are expected");
  if (badMethod) reading.bad(place(pointer, "methods"), "methods such as POST are expected");
  const conditions = {
    roles: setOf(lists.get("roles")),
    principals: setOf(lists.get("principals")),
    routes: lists.get("routes"),
    methods: badMethod ? undefined : setOf(methods?.map((method) => method.toUpperCase())),
    ranges: badRange ? undefined : ranges?.filter((range): range is AddressRange => range !== undefined),
  };
  return { conditions, understood: !badRange && !badMethod && [...lists.values()].every((list) => list !== undefined) };
}

function setOf(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list === undefined ? undefined : new Set(list);
}

function short(label: Rule["label"]): Rule {
  const none = { roles: undefined, principals: undefined, routes: undefined, methods: undefined, ranges: undefined };
  return { label, effect: "allow", everybody: false, doubtful: false, ...none };
}
