/** Converts a node for one schema: scalar slots, lists, maps of maps. */
import { z } from "zod";
import { parseDuration } from "../../shared/duration.ts";
import type { ProcessorModel } from "../../shared/flow-model.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";
import { isClause, type Schema, type Slot, slotOf, unwrap } from "./check-slots.ts";
import { type Context, type Converted, failed } from "./context.ts";
import { commonAttributes, isDisabled, isPlainAttribute } from "./options.ts";
import { describeNode, type Node, type ScalarNode, type SeqNode } from "./tree.ts";

export function convertValue(schema: Schema, node: Node, label: string, context: Context): Converted<unknown> {
  const inner = unwrap(schema);
  const slot = slotOf(schema) ?? slotOf(inner);
  if (slot !== undefined) return convertSlot(slot, node, label, context);
  if (inner instanceof z.ZodArray) return convertList(inner.element, node, label, context);
  if (inner instanceof z.ZodObject) {
    if (node.kind !== "map") return wrongType(node, label, "a map", context);
    const attributes = isClause(inner) ? { attributes: commonAttributes } : {};
    return context.build.map(inner, node, { name: nameOf(label), ...attributes }, context, node);
  }
  if (inner instanceof z.ZodRecord) return convertRecord(inner, node, label, context);
  if (inner instanceof z.ZodUnion) {
    const option = inner.options.find((candidate) => accepts(unwrap(candidate), node)) ?? inner.options[0];
    return option === undefined ? failed : convertValue(option, node, label, context);
  }
  if (inner instanceof z.ZodUnknown || inner instanceof z.ZodAny) return plainValue(node);
  if (inner instanceof z.ZodNumber) return convertSlot({ kind: "integer" }, node, label, context);
  if (inner instanceof z.ZodBoolean) return convertSlot({ kind: "flag" }, node, label, context);
  return convertSlot({ kind: "text" }, node, label, context);
}

/** Returns the owner's name for messages: `option 'when' of step 'choice'` is the owner `'when'`. */
function nameOf(label: string): string {
  return /^(?:option|entry of) ('[^']*')/.exec(label)?.[1] ?? label;
}

function convertSlot(slot: Slot, node: Node, label: string, context: Context): Converted<unknown> {
  if (slot.kind === "steps") return context.build.steps(node, label, context);
  if (slot.kind === "refused") {
    const usual = slot.unless?.toLowerCase();
    if (node.kind === "scalar" && usual !== undefined && node.text?.trim().toLowerCase() === usual) return undefined;
    context.report.error("not_yet", `${label} is refused: ${slot.reason}`, node, context.scope);
    return failed;
  }
  if (slot.kind === "expression" || slot.kind === "predicate") {
    const example = slot.kind === "predicate" ? `{simple: "\${body} == 1"}` : `{simple: "\${body}"}`;
    if (node.kind !== "map") return wrongType(node, label, `an expression such as ${example}`, context);
    const entries = node.entries.filter(({ key }) => !commonAttributes.has(key));
    const given = node.entries.filter(({ key }) => commonAttributes.has(key));
    if (!given.every((entry) => isPlainAttribute(entry, label, context))) return failed;
    return context.build.expression({ entries, kind: slot.kind, where: node, label }, context);
  }
  if (slot.kind === "dataFormat") {
    if (node.kind !== "map") return wrongType(node, label, "a data format such as {json: {}}", context);
    return context.build.format({ entries: node.entries, where: node, label }, context);
  }
  if (slot.kind === "endpoint" || slot.kind === "polled") {
    const uri = node.kind === "map" ? node.entries.find((entry) => entry.key === "uri")?.value : node;
    const parameters =
      node.kind === "map" ? node.entries.find((entry) => entry.key === "parameters")?.value : undefined;
    const role = slot.kind === "polled" ? "poller" : "producer";
    return context.build.endpoint({ uri, parameters, role, where: node, label }, context);
  }
  if (slot.kind === "uri") {
    return context.build.endpoint({ uri: node, parameters: undefined, role: "producer", where: node, label }, context);
  }
  if (node.kind !== "scalar" || node.text === null) return wrongType(node, label, scalarName[slot.kind], context);
  if (slot.kind === "processor") return convertProcessor(node, node.text, label, context);
  if (slot.kind === "template") return context.build.template(node, label, context);
  return convertScalar(slot, node, node.text, label, context);
}

const scalarName = {
  text: "text",
  template: "text",
  processor: "the address of an endpoint such as direct:prepare, or the name of a bean",
  flag: "true or false",
  integer: "a whole number",
  duration: "a duration such as 1500 (milliseconds), 5s or 1m30s",
  oneOf: "one word",
};

/** A scheme and a colon make an address; beans have names, or `#class:` in front. */
function convertProcessor(node: ScalarNode, text: string, label: string, context: Context): Converted<ProcessorModel> {
  if (!/^\s*[\w+.-]+:/.test(text) || /^\s*bean:/.test(text)) return { bean: text.trim(), at: node.at };
  const endpoint = context.build.endpoint(
    { uri: node, parameters: undefined, role: "producer", where: node, label },
    context,
  );
  return endpoint === failed ? failed : { endpoint };
}

function convertScalar(
  slot: Extract<Slot, { kind: "text" | "flag" | "integer" | "duration" | "oneOf" }>,
  node: ScalarNode,
  text: string,
  label: string,
  context: Context,
): Converted<unknown> {
  if (slot.kind === "text") return text;
  const trimmed = text.trim();
  if (slot.kind === "flag") {
    if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  } else if (slot.kind === "integer") {
    const number = Number(trimmed);
    if (/^[+-]?\d+$/.test(trimmed) && Number.isSafeInteger(number)) return number;
  } else if (slot.kind === "duration") {
    const duration = parseDuration(trimmed);
    if (duration !== undefined) return duration;
  } else {
    const value = slot.values.find((candidate) => candidate.toLowerCase() === trimmed.toLowerCase());
    if (value !== undefined) return value;
    const message = `${label} is one of ${listed(slot.values)}; found ${describeNode(node)}${didYouMean(trimmed, slot.values)}`;
    context.report.error("invalid_value", message, node, context.scope);
    return failed;
  }
  context.report.error(
    "invalid_value",
    `${label} is ${scalarName[slot.kind]}; found ${describeNode(node)}`,
    node,
    context.scope,
  );
  return failed;
}

function convertList(element: Schema, node: Node, label: string, context: Context): Converted<unknown[]> {
  if (node.kind !== "seq") return wrongType(node, label, "a list", context);
  const values = enabledItems(element, node).map((item) => convertValue(element, item, label, context));
  return values.includes(failed) ? failed : values;
}

function enabledItems(element: Schema, node: SeqNode): Node[] {
  return node.items.filter((item) => !isDisabled(element, item));
}

function convertRecord(
  schema: z.ZodRecord,
  node: Node,
  label: string,
  context: Context,
): Converted<Record<string, unknown>> {
  if (node.kind !== "map") return wrongType(node, label, "a map", context);
  const entries = node.entries.map(
    ({ key, value }) => [key, convertValue(schema.valueType, value, `entry '${key}' of ${label}`, context)] as const,
  );
  return entries.some(([, value]) => value === failed) ? failed : Object.fromEntries(entries);
}

function accepts(schema: Schema, node: Node): boolean {
  if (schema instanceof z.ZodArray) return node.kind === "seq";
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return node.kind === "map";
  const kind = slotOf(schema)?.kind;
  if (kind === "steps") return node.kind === "seq";
  if (kind === "expression" || kind === "predicate") return node.kind === "map";
  return node.kind === "scalar";
}

/** Returns a node as JSON-like data with scalars as text. */
function plainValue(node: Node): unknown {
  if (node.kind === "scalar") return node.text;
  if (node.kind === "seq") return node.items.map(plainValue);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
}

function wrongType(node: Node, label: string, expected: string, context: Context): typeof failed {
  context.report.error("wrong_type", `${label} is ${expected}; found ${describeNode(node)}`, node, context.scope);
  return failed;
}
