/**
 * Converts an endpoint in any of Camel's forms: a URI with its query, `uri` and `parameters`, a bare scheme with
 * parameters.
 */
import type { Position } from "../../shared/diagnostic.ts";
import type { EndpointModel } from "../../shared/flow-model.ts";
import { shownSecrets } from "../../shared/secret-mark.ts";
import { choices, didYouMean, listed, misspelt } from "../../shared/suggest.ts";
import { type ComponentDefinition, consumes } from "../engine/component.ts";
import { connectionOption } from "../engine/connection-option.ts";
import { type EndpointUri, EndpointUriError, formatEndpointUri, parseEndpointUri } from "../engine/endpoint-uri.ts";
import { prefixOf, withPrefixed } from "../engine/prefixed.ts";
import { camelComponents } from "./camel-names.ts";
import { shapeOf } from "./check-slots.ts";
import { type Context, type Converted, type EndpointSource, failed, type Role } from "./context.ts";
import { finish } from "./options.ts";
import {
  atKey,
  describeNode,
  type Entry,
  type MapNode,
  type Node,
  placeInside,
  type ScalarNode,
  toCamelCase,
} from "./tree.ts";

const knownSchemes = new Set(camelComponents);

/** Returns the endpoint with the options that its component's schema has parsed from path, query and parameters. */
export function convertEndpoint(source: EndpointSource, context: Context): Converted<EndpointModel> {
  const { report, scope } = context;
  const { uri: node, parameters, label } = source;
  if (node === undefined) {
    report.error("missing_option", `${label} needs 'uri'`, source.where, scope);
    return failed;
  }
  if (node.kind !== "scalar" || node.text === null || node.text.trim() === "") {
    report.error(
      "wrong_type",
      `'uri' of ${label} is an endpoint such as 'log:name'; found ${describeNode(node)}`,
      node,
      scope,
    );
    return failed;
  }
  if (
    parameters !== undefined &&
    parameters.kind !== "map" &&
    !(parameters.kind === "scalar" && parameters.text === null)
  ) {
    const message = `'parameters' of ${label} is a map of options; found ${describeNode(parameters)}`;
    report.error("wrong_type", message, parameters, scope);
    return failed;
  }
  const parts = readUri(node, context);
  if (parts === undefined) return failed;
  const component = findComponent(parts.scheme, node, source.role, context);
  if (component === undefined) return failed;
  return build(component, parts, node, parameters?.kind === "map" ? parameters.entries : [], source.role, context);
}

function readUri(node: ScalarNode, { report, scope, definitions }: Context): EndpointUri | undefined {
  const text = node.text ?? "";
  const offset = text.length - text.trimStart().length;
  try {
    return parseEndpointUri(text.trim(), (name) => definitions.catalog.components.get(name)?.lenient === true);
  } catch (error) {
    if (!(error instanceof EndpointUriError)) throw error;
    report.error("bad_uri", error.message, placeInside(node, offset + error.index), scope);
    return undefined;
  }
}

function findComponent(
  scheme: string,
  node: ScalarNode,
  role: Role,
  context: Context,
): ComponentDefinition | undefined {
  const { report, scope, definitions } = context;
  const { components } = definitions.catalog;
  const component = components.get(scheme);
  const where = placeInside(node, (node.text ?? "").indexOf(scheme), scheme.length);
  const usable = [...components.values()].filter((one) => canStand(one, role)).map((c) => c.scheme);
  if (component === undefined) {
    const known = knownSchemes.has(scheme);
    const hint = didYouMean(scheme, usable);
    const message = known
      ? `component '${scheme}' is part of Camel; this runtime does not have it yet: it has ${listed(usable)} here`
      : `unknown component '${scheme}'${hint}${choices(hint, "here there are", usable)}`;
    report.error(known ? "not_yet" : "unknown_component", message, where, scope);
    return undefined;
  }
  if (canStand(component, role)) return component;
  const { code, cannot } = misplaced[role];
  const why = role === "consumer" && component.noConsumer !== undefined ? `: ${component.noConsumer}` : "";
  report.error(code, `component '${scheme}' cannot ${cannot}${why}; here there are: ${listed(usable)}`, where, scope);
  return undefined;
}

const misplaced: Readonly<Record<Role, { readonly code: string; readonly cannot: string }>> = {
  consumer: { code: "no_consumer", cannot: "stand in 'from'" },
  producer: { code: "no_producer", cannot: "stand in 'to'" },
  poller: { code: "no_poller", cannot: "be polled" },
};

function build(
  component: ComponentDefinition,
  parts: EndpointUri,
  node: ScalarNode,
  parameters: readonly Entry[],
  role: Role,
  context: Context,
): Converted<EndpointModel> {
  const { scheme } = component;
  const { path: pathOption } = component;
  const given: Entry[] = [];
  if (parts.path !== "") {
    if (pathOption === undefined) {
      const message = `component '${scheme}' takes nothing after its name; found '${parts.path}'`;
      context.report.error("bad_uri", message, placeInside(node, parts.pathIndex, parts.path.length), context.scope);
      return failed;
    }
    given.push(inside(node, pathOption, parts.pathIndex, parts.path, parts.pathIndex));
  }
  for (const { name, nameIndex, value, valueIndex } of parts.query)
    given.push(inside(node, name, nameIndex, value, valueIndex));
  given.push(...parameters.map(withoutRaw));
  const entries = given.map((entry) => asOption(component, entry));
  const schema = context.definitions.schema(component);
  const passed = component.lenient === true ? passedOn(component, entries, schema, context) : [];
  if (passed === failed) return failed;
  const own = collected(component, passed.length === 0 ? entries : entries.filter((entry) => !passed.includes(entry)));
  const map: MapNode = { kind: "map", entries: own, dropped: [], at: node.at, pointer: node.pointer };
  const owner = { name: `component '${scheme}'`, data: true };
  const values = context.build.map(schema, map, owner, context, node);
  const options = values === failed ? failed : finish(schema, values, map, owner, context);
  if (options === failed) return failed;
  warnOfOtherEnd(component, own, role, context);
  const { properties } = shapeOf(schema);
  const written = entries
    .map(({ key, value }) => ({
      name: properties.has(key) || prefixOf(component.prefixed, key) !== undefined ? key : toCamelCase(key),
      value: value.kind === "scalar" ? (value.text ?? "") : "",
    }))
    .filter(({ value }) => value !== "");
  const path = written.find(({ name }) => name === pathOption)?.value ?? "";
  const query = written.filter(({ name }) => name !== pathOption);
  // Sorted as in Camel (URISupport.normalizeUri).
  const rest = passed
    .map(({ key, value }) => [key, value.kind === "scalar" ? (value.text ?? "") : ""] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const uri = shownSecrets(formatEndpointUri(scheme, path, query));
  const asWritten = shownSecrets((node.text ?? "").trim());
  const texts = entries.flatMap(({ value }) => (isTemplate(value) ? [placedText(value)] : []));
  const model: EndpointModel = {
    scheme,
    uri,
    ...(asWritten !== uri && { written: asWritten }),
    options,
    ...(rest.length > 0 && { parameters: rest }),
    ...(texts.length > 0 && { texts }),
    at: node.at,
  };
  context.endpoints.push({ model, role, uri: node, scope: context.scope });
  return model;
}

function isTemplate(node: Node): node is ScalarNode & { readonly text: string } {
  return node.kind === "scalar" && /[$](?:simple)?\{/.test(node.text ?? "");
}

function placedText(node: ScalarNode & { readonly text: string }): readonly [text: string, at: Position] {
  const { line, column } = placeInside(node, 0).at;
  return [node.text, { ...node.at, line, column }];
}

function warnOfOtherEnd(
  { scheme, ends }: ComponentDefinition,
  entries: readonly Entry[],
  role: Role,
  { report, scope }: Context,
): void {
  if (ends === undefined) return;
  const { consumer, producer, unpolled = [] } = ends;
  const [others, why] = {
    consumer: [producer, "in 'from': write it in 'to'"] as const,
    producer: [consumer, "in 'to': write it in 'from'"] as const,
    poller: [[...producer, ...unpolled], "where the endpoint is polled: leave it out"] as const,
  }[role];
  for (const entry of entries) {
    const name = toCamelCase(entry.key);
    if (!others.includes(name)) continue;
    const message = `option '${name}' of component '${scheme}' has no effect ${why}`;
    report.warning("no_effect", message, atKey(entry), scope);
  }
}

function asOption(component: ComponentDefinition, entry: Entry): Entry {
  const { value } = entry;
  if (value.kind !== "scalar" || value.text === null) return entry;
  const [key, text] = connectionOption(component, entry.key, value.text);
  return key === entry.key ? entry : { ...entry, key, written: entry.key, value: { ...value, text } };
}

/** `RAW(...)` has the same meaning in `parameters` as in a URI, since Camel makes a URI of both. */
function withoutRaw(entry: Entry): Entry {
  const { value } = entry;
  if (value.kind !== "scalar") return entry;
  const text = /^RAW(?:\((.*)\)|\{(.*)\})$/s
    .exec(value.text ?? "")
    ?.slice(1)
    .find((inner) => inner !== undefined);
  return text === undefined ? entry : { ...entry, value: { ...value, text, layout: { kind: "folded" } } };
}

/**
 * Returns parameters that a lenient component has no option for. Warns of a name that is similar to an option's, which
 * would otherwise go unnoticed.
 */
function passedOn(
  { scheme }: ComponentDefinition,
  entries: readonly Entry[],
  schema: Parameters<typeof shapeOf>[0],
  { report, scope }: Context,
): Converted<readonly Entry[]> {
  const { properties } = shapeOf(schema);
  const passed = entries.filter(({ key }) => !properties.has(key) && !properties.has(toCamelCase(key)));
  let good = true;
  for (const entry of passed) {
    const { key, value } = entry;
    if (value.kind !== "scalar") {
      const message = `'${key}' of component '${scheme}' is sent as part of the query: it is text; found ${describeNode(value)}`;
      report.error("wrong_type", message, value, scope);
      good = false;
    }
    const meant = misspelt(key, properties.keys());
    if (meant === undefined) continue;
    const message = `component '${scheme}' has no option '${key}' and sends it to the server (did you mean '${meant}'?)`;
    report.warning("unknown_option", message, atKey(entry), scope);
  }
  return good ? passed : failed;
}

/** Replaces parameters that are taken by their prefix by the option that collects them, where the first of them stands. */
function collected({ prefixed }: ComponentDefinition, entries: readonly Entry[]): readonly Entry[] {
  if (prefixed === undefined) return entries;
  const made = new Map<string, Entry>();
  const kept: Entry[] = [];
  for (const entry of entries) {
    const found = prefixOf(prefixed, entry.key);
    // A map or a list is reported as a value of the option.
    if (found === undefined || entry.value.kind !== "scalar" || entry.value.text === null) {
      kept.push(found === undefined ? entry : { ...entry, key: found.option });
      continue;
    }
    const { prefix, option } = found;
    const before = made.get(option);
    const written = before?.value.kind === "scalar" ? (before.value.text ?? undefined) : undefined;
    const text = withPrefixed(written, entry.key.slice(prefix.length), entry.value.text);
    const place = before ?? entry;
    made.set(option, {
      ...place,
      key: option,
      value: { kind: "scalar", text, at: place.value.at, pointer: place.value.pointer, layout: { kind: "folded" } },
    });
  }
  return [...kept, ...made.values()];
}

/** Makes an option of a part of the URI's text. */
function inside(node: ScalarNode, key: string, keyIndex: number, text: string, index: number): Entry {
  const lead = (node.text ?? "").length - (node.text ?? "").trimStart().length;
  const where = placeInside(node, lead + index, text.length);
  const literal = node.text?.startsWith(text, lead + index) && node.layout.kind !== "folded";
  const layout = literal
    ? ({ kind: "line", line: where.at.line, column: where.at.column } as const)
    : ({ kind: "folded" } as const);
  const keyAt = placeInside(node, lead + keyIndex, key.length).at;
  return { key, keyAt, value: { kind: "scalar", text, at: where.at, pointer: node.pointer, layout } };
}

function canStand(component: ComponentDefinition, role: Role): boolean {
  if (role === "consumer") return consumes(component);
  return (role === "producer" ? component.producer : component.poller) !== undefined;
}
