/** Gives the routes of a flow other ids and names: what a copy of it needs to be deployed beside the flow itself. */
import { words } from "../words.ts";
import { applyChanges, parse } from "./document.ts";
import { directName } from "./names.ts";
import type { FlowTree } from "./nodes.ts";
import { valueAt } from "./place.ts";
import { setOption } from "./set-option.ts";
import { tree } from "./tree.ts";
import type { FlowText, Path } from "./types.ts";

export interface RenamedRoutes {
  readonly text: string;
  /** Ids of routes: before -> after. */
  readonly ids: ReadonlyMap<string, string>;
  /** `direct:` names: before -> after. */
  readonly names: ReadonlyMap<string, string>;
  /** What stays as it is: HTTP paths, calls of the old names in expressions, and routes without an id. */
  readonly kept: readonly string[];
}

interface Text {
  readonly path: Path;
  readonly value: string;
}

type Rename = (name: string, kind: "route" | "direct") => string;

/** `rename`: the new id of a route, and the new name of a `direct:` endpoint. Throws EditRefused for a text that cannot be edited. */
export function renameRoutes(text: string, rename: Rename): RenamedRoutes {
  const before = parse(text);
  const routes = tree(before);
  const idTexts = textsAt(before, idPaths(routes));
  const ids = new Map(idTexts.map(({ value }) => [value, rename(value, "route")]));
  const names = new Map(
    routes.routes.flatMap(({ trigger }) => {
      const name = directName(trigger?.uri ?? "");
      return name === undefined ? [] : [[name, ids.get(name) ?? rename(name, "direct")] as const];
    }),
  );
  let after = text;
  const set = (path: Path, value: string): void => {
    // Values are replaced, and nothing comes or goes: paths stay as they are.
    after = applyChanges(after, setOption(parse(after), path, value));
  };
  for (const { path, value } of idTexts) set(path, ids.get(value) ?? value);
  for (const { path, value } of textsAt(before, addressPaths(routes))) {
    const name = names.get(directName(value) ?? "");
    if (name !== undefined) set(path, value.replace(/^(direct:(?:\/\/)?)[^?]+/, `$1${name}`));
  }
  for (const { path, value } of textsAt(before, namePaths(before, routes))) set(path, names.get(value) ?? value);
  return { text: after, ids, names, kept: keptIn(tree(parse(after)), names) };
}

/** Of routes, and of operations of REST services. */
function idPaths({ routes, others }: FlowTree): Path[] {
  const operations = others.flatMap((other) => other.operations ?? []);
  return [...routes.map(({ path }) => [...path, "id"]), ...operations.flatMap(({ path }) => [[...path, "routeId"]])];
}

/** An address is the part itself, or one of its options. */
function addressPaths(routes: FlowTree): Path[] {
  const places = [[], ["uri"], ["to"], ["to", "uri"], ["deadLetterChannel", "deadLetterUri"]];
  return partsOf(routes).flatMap((path) => places.map((place) => [...path, ...place]));
}

/** The names beside addresses that are a scheme alone. */
function namePaths(flow: FlowText, routes: FlowTree): Path[] {
  const parts = partsOf(routes).flatMap((path) => [path, [...path, "to"]]);
  return parts
    .filter((path) => valueAt(flow, [...path, "uri"]) === "direct")
    .map((path) => [...path, "parameters", "name"]);
}

/** Triggers, and what calls routes of the flow, each once: a step may call several. */
function partsOf({ routes, links }: FlowTree): readonly Path[] {
  const triggers = routes.flatMap(({ trigger }) => (trigger === undefined ? [] : [trigger.path]));
  return [...new Map([...triggers, ...links.map(({ from }) => from)].map((path) => [path.join("/"), path])).values()];
}

function textsAt(flow: FlowText, paths: readonly Path[]): Text[] {
  return paths.flatMap((path) => {
    const value = valueAt(flow, path);
    return typeof value === "string" ? [{ path, value }] : [];
  });
}

function keptIn({ routes, others, links }: FlowTree, names: ReadonlyMap<string, string>): string[] {
  const paths = routes.flatMap(({ trigger }) => /^platform-http:(?:\/\/)?([^?]+)/.exec(trigger?.uri ?? "")?.[1] ?? []);
  const operations = others.flatMap((other) => other.operations?.map(({ address }) => address) ?? []);
  const calls = links.filter(({ scheme, name }) => scheme === "direct" && names.has(name));
  const nameless = routes.some(({ id }) => id === undefined) ? [words.model.routeWithoutId] : [];
  return [...new Set([...nameless, ...paths, ...operations, ...calls.map(({ name }) => `direct:${name}`)])];
}
