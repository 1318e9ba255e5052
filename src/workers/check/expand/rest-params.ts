/**
 * Reads `param` of a verb: required and optional parameters of a request, and their defaults (Camel: ParamDefinition).
 */

import { didYouMean } from "../../../shared/suggest.ts";
import type { Report } from "../report.ts";
import { atKey, describeNode, entryOf, type MapNode, type Node, toCamelCase, type Where } from "../tree.ts";
import { isNothing, mapAt, scalarAt, scalarText, seqAt } from "./nodes.ts";
import { flag, forPeople, idle, type Parts, text } from "./parts.ts";
import { flagIn } from "./rest-options.ts";

const types = ["path", "query", "header", "body", "formData"];
/** Camel does not check these keys. */
const inDocument = "it is for readers of an API document";

export const paramParts: Parts = {
  name: text("The parameter's name."),
  type: { kind: `one of ${types.join(", ")}`, words: "Where it stands in the request; by default in the path." },
  required: flag("Whether a request must have it, with `clientRequestValidation`; true by default."),
  defaultValue: text("The value of a parameter of the query or a header that a request leaves out."),
  allowableValues: {
    kind: "list of texts",
    words: "The values that a parameter of the query or a header may have, with `clientRequestValidation`.",
  },
  ...forPeople,
  dataType: idle(inDocument),
  dataFormat: idle(inDocument),
  arrayType: idle(inDocument),
  collectionFormat: idle(inDocument),
  examples: idle(inDocument),
  id: text("Names the parameter, for people."),
};
const known = Object.keys(paramParts);

interface Params {
  readonly defaults: Map<string, string>;
  readonly allowed: Map<string, readonly string[]>;
  readonly requiredQuery: string[];
  readonly requiredHeaders: string[];
  requiredBody: boolean;
}

/** Returns the resulting options of restBinding; none without a `param`. `validates`: with clientRequestValidation. */
export function readParams(verb: MapNode, validates: boolean, report: Report): Readonly<Record<string, Node | string>> {
  const node = entryOf(verb, "param")?.value;
  if (node === undefined || (node.kind === "scalar" && node.text === null)) return {};
  if (node.kind !== "seq") {
    report.error("wrong_type", `'param' is a list; found ${describeNode(node)}`, node);
    return {};
  }
  const params: Params = {
    defaults: new Map(),
    allowed: new Map(),
    requiredQuery: [],
    requiredHeaders: [],
    requiredBody: false,
  };
  for (const item of node.items) readParam(item, params, validates, report);
  return optionsOf(params, node);
}

/** Only query and header parameters have a default or allowed values, since a path parameter is always present. */
function readParam(item: Node, params: Params, validates: boolean, report: Report): void {
  const name = item.kind === "map" ? scalarText(entryOf(item, "name")?.value) : undefined;
  if (item.kind !== "map" || name === undefined) {
    report.error("missing_option", `an entry of 'param' is a map with 'name'; found ${describeNode(item)}`, item);
    return;
  }
  checkKeys(item, report);
  const written = entryOf(item, "type")?.value;
  const type = scalarText(written) ?? "path";
  if (!types.includes(type)) {
    report.error(
      "invalid_value",
      `'type' of a param is one of ${types.join(", ")}${didYouMean(type, types)}`,
      written ?? item,
    );
    return;
  }
  // In Camel a param is required by default.
  const required = flagIn(item, "required", true, "param", report);
  warnOfIdle(item, { name, type, required, validates }, report);
  if (type === "body" && required) params.requiredBody = true;
  if (type !== "query" && type !== "header") return;
  if (required) (type === "query" ? params.requiredQuery : params.requiredHeaders).push(name);
  const standard = scalarText(entryOf(item, "defaultValue")?.value);
  if (standard !== undefined) params.defaults.set(name, standard);
  const allowed = entryOf(item, "allowableValues")?.value;
  if (allowed?.kind === "seq") params.allowed.set(name, allowed.items.flatMap(valuesOf));
}

function checkKeys(item: MapNode, report: Report): void {
  for (const entry of item.entries) {
    if (known.includes(toCamelCase(entry.key))) continue;
    report.error("unknown_option", `a param has no '${entry.key}'${didYouMean(entry.key, known)}`, atKey(entry));
  }
}

interface Kind {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly validates: boolean;
}

/** Warns of keys that Camel ignores, too, for a parameter of this type or without validation. */
function warnOfIdle(item: MapNode, { name, type, required, validates }: Kind, report: Report): void {
  const named = type === "query" || type === "header";
  const onlyNamed = "only parameters of the query and headers have one";
  const whys: Readonly<Record<string, string | false>> = {
    defaultValue: !named && onlyNamed,
    allowableValues: named ? !validates && "clientRequestValidation is off" : onlyNamed,
    required:
      required &&
      type !== "path" &&
      (type === "formData"
        ? "the fields of a form are not looked at: use step validate"
        : !validates && "clientRequestValidation is off"),
  };
  for (const [key, why] of Object.entries(whys)) {
    const entry = entryOf(item, key);
    if (why === false || entry === undefined || isNothing(entry.value)) continue;
    report.warning("no_effect", `'${key}' of the param '${name}' has no effect: ${why}`, atKey(entry));
  }
}

/** Reads `[a, b]`, or `[{value: a}]`. Camel joins the values with commas, and splits them at commas. */
function valuesOf(item: Node): readonly string[] {
  const text = item.kind === "map" ? scalarText(entryOf(item, "value")?.value) : scalarText(item);
  return (text ?? "").split(",");
}

function optionsOf(params: Params, where: Where): Readonly<Record<string, Node | string>> {
  const list = (names: readonly string[]): Node =>
    seqAt(
      where,
      names.map((name) => scalarAt(name, where)),
    );
  const { defaults, allowed, requiredQuery, requiredHeaders, requiredBody } = params;
  return {
    ...(defaults.size > 0 && { defaults: mapAt(where, ownRecord(defaults)) }),
    ...(allowed.size > 0 && {
      allowed: mapAt(where, ownRecord([...allowed].map(([name, values]) => [name, list(values)]))),
    }),
    ...(requiredQuery.length > 0 && { requiredQuery: list(requiredQuery) }),
    ...(requiredHeaders.length > 0 && { requiredHeaders: list(requiredHeaders) }),
    ...(requiredBody && { requiredBody: "true" }),
  };
}

/** Keeps a name such as `__proto__`. */
function ownRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}
