/**
 * Reads `routeConfiguration`: elements for the routes that name it, or, without an id, for routes that name none
 * (Camel: RoutesConfigurer).
 */

import { didYouMean, listed } from "../../shared/suggest.ts";
import type { Context, RouteDraft } from "./context.ts";
import { elementNames, type RouteElements, readElements } from "./elements.ts";
import { forPeople, type Parts, text } from "./expand/parts.ts";
import { isPlainAttribute } from "./options.ts";
import { preconditionHolds } from "./precondition.ts";
import { atKey, describeNode, type Entry, entryOf, type MapNode, type Node, toCamelCase, type Where } from "./tree.ts";

export interface RouteConfiguration {
  /** "": applies to routes that name no configuration. */
  readonly id: string;
  readonly elements: RouteElements;
}

type Base = Omit<Context, "route" | "scope">;

const attributeParts = {
  id: text(
    "The name by which routes use it, in `routeConfigurationId`; without one it is for all routes that name none.",
  ),
  ...forPeople,
  precondition: text(
    "A condition on parameters, such as `{{mode}} == 1`; when it does not hold, the configuration is not there.",
  ),
} as const satisfies Parts;
const attributes: ReadonlySet<string> = new Set(Object.keys(attributeParts));

export const configurationParts: Parts = {
  ...attributeParts,
  ...Object.fromEntries(
    [...elementNames].map((name) => [
      name,
      { kind: "map, or list of maps", words: `What \`${name}\` does beside routes, for the routes that use this.` },
    ]),
  ),
};

/** Returns undefined after a problem. A configuration whose precondition does not hold has no elements. */
export function readConfiguration(entry: Entry, base: Base): RouteConfiguration | undefined {
  const node = asMap(entry, base);
  if (node === undefined) return undefined;
  const holds = preconditionHolds(node, { ...base, route: unplaced(entry), scope: {} });
  for (const one of node.entries) {
    isPlainAttribute(one, "'routeConfiguration'", { ...base, scope: {} }, attributes);
  }
  const id = entryOf(node, "id")?.value;
  const entries = holds ? node.entries.filter(({ key }) => !attributes.has(toCamelCase(key))) : [];
  return {
    id: id?.kind === "scalar" ? (id.text ?? "") : "",
    elements: readElements(
      entries.flatMap((one) => elementsIn(one, base)),
      base,
    ),
  };
}

function unplaced({ keyAt: at }: Entry): RouteDraft {
  return { id: "", at, nodePrefix: "", fromId: "" };
}

/** Reads a map, or, as in Camel 3, a list of maps with one key each. */
function asMap({ value }: Entry, { report }: Base): MapNode | undefined {
  if (value.kind === "map") return value;
  if (value.kind === "seq" && value.items.every((item) => item.kind === "map")) {
    const entries = value.items.flatMap((item) => (item as MapNode).entries);
    return { kind: "map", entries, dropped: [], at: value.at, pointer: value.pointer };
  }
  report.error("wrong_type", `'routeConfiguration' is a map; found ${describeNode(value)}`, value);
  return undefined;
}

/** `onException: [{onException: {...}}]`, `onException: [{...}]` and `onException: {...}` are equal. */
function elementsIn(entry: Entry, { report }: Base): readonly Entry[] {
  const name = toCamelCase(entry.key);
  if (!elementNames.has(name)) {
    const known = [...attributes, ...elementNames];
    const message = `a routeConfiguration has no '${entry.key}'${didYouMean(entry.key, known)}; it has: ${listed(known)}`;
    report.error("unknown_option", message, atKey(entry));
    return [];
  }
  if (entry.value.kind !== "seq") return [entry];
  return entry.value.items.map((item) => wrapped(item, name) ?? { ...entry, keyAt: item.at, value: item });
}

function wrapped(item: Node, name: string): Entry | undefined {
  const [only, second] = item.kind === "map" ? item.entries : [];
  return only !== undefined && second === undefined && toCamelCase(only.key) === name ? only : undefined;
}

/** A route's own elements, and the configurations that it uses. */
export interface OwnElements {
  readonly own: RouteElements;
  readonly configurations: readonly RouteElements[];
}

/** `routeWide`: what is for the whole route, and is written among its steps. */
export function ownElements(
  node: MapNode,
  routeWide: readonly Entry[],
  all: readonly RouteConfiguration[],
  context: Context,
): OwnElements {
  const handler = entryOf(node, "errorHandler");
  const wanted = entryOf(node, "routeConfigurationId");
  const text = wanted?.value.kind === "scalar" ? (wanted.value.text ?? undefined) : undefined;
  return {
    own: readElements([...(handler === undefined ? [] : [handler]), ...routeWide], context),
    configurations: configurationsFor(text, wanted?.value ?? node, all, context),
  };
}

/** Returns the configurations that a route uses; reports an unknown id. */
function configurationsFor(
  wanted: string | undefined,
  where: Where,
  all: readonly RouteConfiguration[],
  { report, scope }: Context,
): readonly RouteElements[] {
  if (wanted === undefined || wanted.trim() === "")
    return all.filter(({ id }) => id === "").map(({ elements }) => elements);
  const patterns = wanted.split(",").map((pattern) => pattern.trim());
  const chosen = patterns.flatMap((pattern) => {
    const matching = all.filter(({ id }) => id !== "" && matches(id, pattern));
    if (matching.length === 0 && !pattern.endsWith("*")) {
      const known = all.map(({ id }) => id).filter((id) => id !== "");
      const there = known.length === 0 ? "the flow has none with an id" : `there are: ${listed(known)}`;
      const message = `no routeConfiguration of this flow has the id '${pattern}'${didYouMean(pattern, known)}; ${there}`;
      report.error("unknown_configuration", message, where, scope);
    }
    return matching;
  });
  return [...new Set(chosen)].map(({ elements }) => elements);
}

function matches(id: string, pattern: string): boolean {
  return pattern.endsWith("*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}
