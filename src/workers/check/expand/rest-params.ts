/** `param` of a verb: what a request must have, may have, and has when it says nothing (Camel: ParamDefinition). */
import type { Report } from "../report.ts";
import { didYouMean } from "../suggest.ts";
import { describeNode, entryOf, type MapNode, type Node, type Where } from "../tree.ts";
import { mapAt, scalarAt, seqAt, textOf } from "./nodes.ts";
import { flagIn } from "./rest-options.ts";

const types = ["path", "query", "header", "body", "formData"];

interface Params {
  readonly defaults: Map<string, string>;
  readonly allowed: Map<string, readonly string[]>;
  readonly requiredQuery: string[];
  readonly requiredHeaders: string[];
  requiredBody: boolean;
}

/** The options of restBinding that come of it; nothing at all when there is no `param`. */
export function readParams(verb: MapNode, report: Report): Readonly<Record<string, Node | string>> {
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
  for (const item of node.items) readParam(item, params, report);
  return optionsOf(params, node);
}

/** Only what comes in the query or as a header has a default or allowed values; a path parameter is always there. */
function readParam(item: Node, params: Params, report: Report): void {
  const name = item.kind === "map" ? textOf(entryOf(item, "name")?.value) : undefined;
  if (item.kind !== "map" || name === undefined) {
    report.error("missing_option", `an entry of 'param' is a map with 'name'; found ${describeNode(item)}`, item);
    return;
  }
  const written = entryOf(item, "type")?.value;
  const type = textOf(written) ?? "path";
  if (!types.includes(type)) {
    report.error(
      "invalid_value",
      `'type' of a param is one of ${types.join(", ")}${didYouMean(type, types)}`,
      written ?? item,
    );
    return;
  }
  // Camel: a param is required unless it says otherwise.
  const required = flagIn(item, "required", true, "param", report);
  if (type === "body" && required) params.requiredBody = true;
  if (type !== "query" && type !== "header") return;
  if (required) (type === "query" ? params.requiredQuery : params.requiredHeaders).push(name);
  const standard = textOf(entryOf(item, "defaultValue")?.value);
  if (standard !== undefined) params.defaults.set(name, standard);
  const allowed = entryOf(item, "allowableValues")?.value;
  if (allowed?.kind === "seq") params.allowed.set(name, allowed.items.flatMap(valuesOf));
}

/** `[a, b]`, or `[{value: a}]`; Camel joins them with commas, and takes them apart at commas. */
function valuesOf(item: Node): readonly string[] {
  const text = item.kind === "map" ? textOf(entryOf(item, "value")?.value) : textOf(item);
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

/** A name such as `__proto__` is a name. */
function ownRecord<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(entries);
}
