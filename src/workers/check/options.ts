/**
 * Converts the map of a step's, a component's, a language's or a clause's options: spelling, unknown and missing keys,
 * inline expressions.
 */
import type { z } from "zod";
import { choices, closest } from "../../shared/suggest.ts";
import { camelFormats, camelLanguages, legacyFormats, refusedFormats } from "./camel-names.ts";
import { idleReason, isClause, isRequired, type Schema, type Shape, shapeOf, slotOf, unwrap } from "./check-slots.ts";
import { type Context, type Converted, failed, type Options, type Owner } from "./context.ts";
import { polledTemplate } from "./polled-template.ts";
import { atKey, describeNode, type Entry, entryOf, type MapNode, type Node, toCamelCase, type Where } from "./tree.ts";

/** Attributes of every part of a route for designers and people. */
export const commonAttributes: ReadonlySet<string> = new Set(["id", "description", "note", "disabled"]);

const knownLanguages = new Set(camelLanguages);
const knownFormats = new Set([...camelFormats, ...legacyFormats.keys(), ...refusedFormats.keys()]);

/** Converts each option of a map of `owner`. zod tests the result later (see `finish`). */
export function convertMap(
  schema: z.ZodObject,
  node: MapNode,
  owner: Owner,
  context: Context,
  missingAt: Where,
): Converted<Options> {
  const shape = shapeOf(schema);
  // No prototype: an option may be called `constructor`.
  const values: Options = Object.create(null);
  const seen = new Map<string, Entry>();
  const expressions: Entry[] = [];
  const endpoint = new Map<string, Node>();
  const formats: Entry[] = [];
  /** Options that unknown keys probably mean, so they are not reported as missing. */
  const meant = new Set<string | undefined>();
  let good = true;
  for (const entry of node.entries) {
    const key = canonicalKey(entry.key, shape, owner);
    const twin = seen.get(key);
    if (twin !== undefined) {
      const message = `'${entry.written ?? entry.key}' and '${twin.written ?? twin.key}' are the same option of ${owner.name}: keep one`;
      context.report.error("duplicate_option", message, atKey(entry), context.scope);
      good = false;
      continue;
    }
    seen.set(key, entry);
    if (owner.attributes?.has(key) && !shape.properties.has(key)) {
      good = isPlainAttribute(entry, owner.name, context) && good;
      continue;
    }
    if (isExpressionKey(key, shape, context)) expressions.push(entry);
    else if (isFormatKey(key, shape, context)) formats.push(entry);
    else if (shape.endpoint !== undefined && (key === "uri" || key === "parameters")) endpoint.set(key, entry.value);
    else if (!isOption(key, shape)) {
      meant.add(reportUnknown(entry, shape, owner, context));
      good = false;
    } else if (!isNothing(entry.value) && !isDisabled(shape.properties.get(key) as Schema, entry.value)) {
      const label = `option '${key}' of ${owner.name}`;
      const property = shape.properties.get(key) as Schema;
      const value = context.build.value(property, entry.value, label, context);
      if (value === failed) good = false;
      else values[key] = value;
      const idle = idleReason(property);
      if (idle !== undefined) {
        context.report.warning("no_effect", `${label} has no effect: ${idle}`, atKey(entry), context.scope);
      }
    }
  }
  const misspelt =
    (expressions.length === 0 && meant.has("expression")) || (formats.length === 0 && meant.has("data format"));
  // A condition of `{{?name}}` without a value never holds (Camel: a choice with precondition).
  const never =
    expressions.length === 0 &&
    shape.inline?.kind === "predicate" &&
    node.dropped.some((key) => knownLanguages.has(key));
  const collected = misspelt
    ? failed
    : never
      ? { [shape.inline?.key as string]: { language: "constant", text: "false", options: {}, at: missingAt.at } }
      : collect(shape, { expressions, endpoint, formats }, owner, context, missingAt);
  if (collected === failed) good = false;
  else Object.assign(values, collected);
  const missing: string[] = [];
  for (const [key, property] of shape.properties) {
    if (key in values || isFilled(key, shape) || !isRequired(property)) continue;
    const given = seen.get(key);
    if ((given !== undefined && !isNothing(given.value)) || meant.has(key)) {
      good = false; // Reported above.
      continue;
    }
    good = false;
    if (given === undefined) missing.push(`'${key}'`);
    else context.report.error("missing_option", `${owner.name} needs '${key}'`, atKey(given), context.scope);
  }
  if (missing.length > 0) {
    const message = `${owner.name} needs ${missing.join(" and ")}`;
    context.report.error("missing_option", message, missingAt, context.scope);
  }
  return good ? values : failed;
}

interface Found {
  readonly expressions: readonly Entry[];
  readonly endpoint: ReadonlyMap<string, Node>;
  readonly formats: readonly Entry[];
}

/** Collects the inline expression, the endpoint and the data format of a map. */
function collect(
  shape: Shape,
  { expressions, endpoint, formats }: Found,
  owner: Owner,
  context: Context,
  where: Where,
): Converted<Options> {
  const values: Options = {};
  let good = true;
  if (shape.inline !== undefined && (!shape.inline.optional || expressions.length > 0)) {
    const { key, kind } = shape.inline;
    const value = context.build.expression({ entries: expressions, kind, where, label: owner.name }, context);
    if (value === failed) good = false;
    else values[key] = value;
  }
  if (shape.format !== undefined) {
    const value = context.build.format({ entries: formats, where, label: owner.name }, context);
    if (value === failed) good = false;
    else values[shape.format] = value;
  }
  if (shape.endpoint !== undefined) {
    const uri = endpoint.get("uri");
    const parameters = endpoint.get("parameters");
    const optional = !isRequired(shape.properties.get(shape.endpoint) as Schema);
    if (!optional || uri !== undefined || parameters !== undefined) {
      const role = shape.polled === true ? "poller" : "producer";
      const source = { uri, parameters, role, where, label: owner.name } as const;
      const value = polledTemplate(source, context) ?? context.build.endpoint(source, context);
      if (value === failed) good = false;
      else values[shape.endpoint] = value;
    }
  }
  return good ? values : failed;
}

function canonicalKey(key: string, shape: Shape, owner: Owner): string {
  if (shape.properties.has(key)) return key;
  const camel = toCamelCase(key);
  return owner.data !== true || shape.properties.has(camel) ? camel : key;
}

function isExpressionKey(key: string, shape: Shape, context: Context): boolean {
  if (shape.inline === undefined) return false;
  if (key === "expression") return true;
  if (shape.properties.has(key) && key !== shape.inline.key) return false;
  return context.definitions.catalog.languages.has(key) || knownLanguages.has(key);
}

function isFormatKey(key: string, shape: Shape, context: Context): boolean {
  if (shape.format === undefined || isOption(key, shape)) return false;
  return context.definitions.catalog.formats.has(key) || knownFormats.has(key);
}

/** Whether the map itself fills the slot, which then has no key of its own. */
function isFilled(key: string, shape: Shape): boolean {
  return key === shape.inline?.key || key === shape.endpoint || key === shape.format;
}

function isOption(key: string, shape: Shape): boolean {
  return shape.properties.has(key) && !isFilled(key, shape);
}

/** Suggests the option that the key probably means; `expression` for a language, `data format` for a format. */
function reportUnknown(
  entry: Entry,
  shape: Shape,
  owner: Owner,
  { definitions, report, scope }: Context,
): string | undefined {
  const languages = shape.inline === undefined ? [] : [...definitions.catalog.languages.keys()];
  const formats = shape.format === undefined ? [] : [...definitions.catalog.formats.keys()];
  const visible = visibleOptions(shape);
  const guess = closest(entry.key, [...visible, ...languages, ...formats, ...(owner.attributes ?? [])]);
  const hint = guess === undefined ? "" : ` (did you mean '${guess}'?)`;
  const onlyExpression = shape.inline !== undefined && visible.length === 0;
  if (guess === undefined ? onlyExpression : languages.includes(guess)) {
    const message = `unknown expression language '${entry.key}'${hint}${choices(hint, "there are", languages)}`;
    report.error("unknown_language", message, atKey(entry), scope);
    return "expression";
  }
  if (shape.format !== undefined && (guess === undefined || formats.includes(guess))) {
    const message = `unknown data format '${entry.key}'${hint}${choices(hint, "there are", formats)}`;
    report.error("unknown_format", message, atKey(entry), scope);
    return "data format";
  }
  const all = [...visible, ...languages];
  const choice = all.length === 0 ? "; it has none" : choices(hint, "its options", all);
  report.error("unknown_option", `${owner.name} has no option '${entry.key}'${hint}${choice}`, atKey(entry), scope);
  return guess;
}

/** Whether a common attribute is text, or true or false; reports a map or a list. */
export function isPlainAttribute(
  { key: written, value }: Entry,
  owner: string,
  { report, scope }: Pick<Context, "report" | "scope">,
  names: ReadonlySet<string> = commonAttributes,
): boolean {
  const key = toCamelCase(written);
  if (value.kind === "scalar" || !names.has(key)) return true;
  const what = key === "disabled" ? "true or false" : "text";
  report.error("wrong_type", `'${key}' of ${owner} is ${what}; found ${describeNode(value)}`, value, scope);
  return false;
}

/** Returns the keys that may be written, without refused ones. */
function visibleOptions(shape: Shape): string[] {
  const keys = [...shape.properties]
    .filter(([key, property]) => isOption(key, shape) && slotOf(unwrap(property))?.kind !== "refused")
    .map(([key]) => key);
  return shape.endpoint === undefined ? keys : ["uri", "parameters", ...keys];
}

function isNothing(node: Node): boolean {
  return node.kind === "scalar" && node.text === null;
}

/** Whether a clause has `disabled: true` and is to be ignored. */
export function isDisabled(schema: Schema, node: Node): boolean {
  if (!isClause(unwrap(schema)) || node.kind !== "map") return false;
  const value = entryOf(node, "disabled")?.value;
  return value?.kind === "scalar" && value.text === "true";
}

/** Lets zod test converted options: refinements, transforms, defaults. */
export function finish(
  schema: z.ZodObject,
  values: Options,
  node: Node,
  owner: Owner,
  context: Context,
): Converted<Options> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    const named = path.length === 0 ? owner.name : `option '${path.join(".")}' of ${owner.name}`;
    context.report.error("invalid_value", `${named}: ${issue.message}`, locate(node, path), context.scope);
  }
  return failed;
}

function locate(node: Node, path: readonly (string | number)[]): Where {
  let at: Node = node;
  for (const part of path) {
    const inner: Node | undefined =
      at.kind === "map" ? entryOf(at, String(part))?.value : at.kind === "seq" ? at.items[Number(part)] : undefined;
    if (inner === undefined) break;
    at = inner;
  }
  return at;
}
