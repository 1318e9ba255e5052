/** Reads what stands beside routes. */
import { isMap, isSeq } from "yaml";
import { addressOf } from "./links.ts";
import { keyText, toCamelCase } from "./names.ts";
import type { OtherNode, RestOperation, RouteNode } from "./nodes.ts";
import { childOf, type Place, plain } from "./place.ts";
import { attribute, readRoute } from "./tree-routes.ts";
import { about, branchesOf, type Reader, rangeOf, shallow, text } from "./tree-steps.ts";

const verbs = new Set(["get", "post", "put", "patch", "delete", "head"]);

export function readOther(reader: Reader, name: string, place: Place, item: Place): OtherNode {
  const { id, brief } = about(reader, place, "id", name);
  const resource = name === "resource";
  const route = resource
    ? kameletRoute(reader, place)
    : name === "routeTemplate"
      ? templateRoute(reader, place)
      : undefined;
  const named = resource ? (attribute(reader, place, "kind") ?? name) : name;
  return {
    name: named,
    ...(id !== undefined && { id }),
    brief: named === "rest" ? (attribute(reader, place, "path") ?? "") : brief,
    path: place.path,
    itemPath: item.path,
    range: rangeOf(reader.flow, item),
    branches: resource ? [] : branchesOf(reader, name, place).filter(({ kind }) => isBranch(name, kind)),
    ...(route !== undefined && { route }),
    ...(name === "errorHandler" && deadLetters(reader, place)),
    ...(name === "rest" && { operations: operationsOf(reader, place) }),
    ...(name === "routeConfiguration" && { children: childrenOf(reader, place) }),
  };
}

function deadLetters(reader: Reader, place: Place): Pick<OtherNode, "uri"> {
  const { deadLetterChannel: channel } = shallow(reader, place, "errorHandler") as { deadLetterChannel?: unknown };
  const uri = text((channel as { readonly deadLetterUri?: unknown } | null | undefined)?.deadLetterUri);
  return uri === undefined ? {} : { uri };
}

/** Operations of a service are no branches, nor is the `from` of a template, which is its route. */
function isBranch(name: string, kind: string): boolean {
  return name === "rest" ? kind === "steps" : name !== "routeTemplate" || kind !== "from";
}

function templateRoute(reader: Reader, place: Place): RouteNode | undefined {
  if (!isMap(place.node)) return undefined;
  const route = childOf(reader.document, place, "route") ?? place;
  return childOf(reader.document, route, "from") === undefined ? undefined : readRoute(reader, route, route);
}

function kameletRoute(reader: Reader, place: Place): RouteNode | undefined {
  const spec = childOf(reader.document, place, "spec");
  const template = spec && childOf(reader.document, spec, "template");
  return template && templateRoute(reader, template);
}

function operationsOf(reader: Reader, place: Place): RestOperation[] {
  if (!isMap(place.node)) return [];
  const base = attribute(reader, place, "path") ?? attribute(reader, place, "uri") ?? "";
  return place.node.items.flatMap(({ key }) => {
    const verb = keyText(key);
    const list = childOf(reader.document, place, verb);
    if (!verbs.has(verb) || list === undefined) return [];
    const indexes = isSeq(list.node) ? [...list.node.items.keys()] : [];
    const places = indexes.map((index) => childOf(reader.document, list, index)).filter((one) => one !== undefined);
    return places.map((one): RestOperation => {
      const own = attribute(reader, one, "path") ?? attribute(reader, one, "uri") ?? "";
      const id = attribute(reader, one, "routeId") ?? attribute(reader, one, "id");
      const to = targetOf(reader, one);
      return {
        verb,
        path: one.path,
        address: base + own,
        ...(id !== undefined && { id }),
        ...(to !== undefined && { to }),
      };
    });
  });
}

function targetOf({ document }: Reader, place: Place): string | undefined {
  const to = isMap(place.node) ? childOf(document, place, "to")?.node : undefined;
  const value = to === undefined || to === null ? undefined : plain(to, document);
  if (typeof value === "string") return value;
  const { uri, parameters } = (value ?? {}) as { readonly uri?: unknown; readonly parameters?: unknown };
  return typeof uri === "string" ? addressOf(uri, parameters) : undefined;
}

/** A routeConfiguration holds elements: lists of maps with one key each, or maps. */
function childrenOf(reader: Reader, place: Place): OtherNode[] {
  if (!isMap(place.node)) return [];
  return place.node.items.flatMap(({ key }) => {
    const name = toCamelCase(keyText(key));
    const value = childOf(reader.document, place, keyText(key));
    if (value === undefined || !(isMap(value.node) || isSeq(value.node))) return [];
    if (isMap(value.node)) return [readOther(reader, name, value, value)];
    return [...value.node.items.keys()].flatMap((index) => {
      const item = childOf(reader.document, value, index);
      if (item === undefined || !isMap(item.node)) return [];
      return [readOther(reader, name, childOf(reader.document, item, name) ?? item, item)];
    });
  });
}
