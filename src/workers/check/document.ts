/** Finds the routes of a document in any of its shapes. */

import { didYouMean, listed } from "../../shared/suggest.ts";
import { camelTopLevel } from "./camel-names.ts";
import { elementNames } from "./elements.ts";
import type { Report } from "./report.ts";
import type { FoundRoute } from "./route.ts";
import { ownRouteAttributes } from "./route-attributes.ts";
import { atKey, describeNode, type Entry, entryOf, type MapNode, type Node, toCamelCase } from "./tree.ts";

/** Elements that are expanded to routes (check/expand), or apply to all routes of a flow. */
export const expandedElements = [
  "beans",
  "rest",
  "restConfiguration",
  "routeConfiguration",
  "routeTemplate",
  "templatedRoute",
] as const;

/** A document's items by kind. */
export interface FoundDocument {
  readonly routes: readonly FoundRoute[];
  /** onException, errorHandler, onCompletion, intercept...: they apply to the routes of the document. */
  readonly elements: readonly Entry[];
  readonly configurations: readonly Entry[];
}

interface FoundElements {
  readonly elements: Entry[];
  readonly configurations: Entry[];
  routeSeen?: boolean;
}

/** Keys beside `routes` that designers write for people. */
export const documentKeys = new Set(["id", "name", "description", "note", "category", "version"]);
const resourceKeys = new Set(["apiVersion", "kind", "metadata", "spec", "status"]);
/** Parts of an Integration's `spec` that concern its deployment. */
const deployment = new Set(
  "dependencies integrationKit profile replicas repositories serviceAccountName template traits".split(" "),
);

/**
 * Returns the routes of a list of items (Camel), of one item, of `{id, from, steps}`, of `{routes: [...]}`, or of the
 * resource `kind: Integration`, after expansion. Other content of Camel documents is reported as `not_yet`.
 */
export function findDocument(root: Node, report: Report): FoundDocument {
  const elements: FoundElements = { elements: [], configurations: [] };
  return { routes: findRoutes(root, elements, report), ...elements };
}

function findRoutes(root: Node, elements: FoundElements, report: Report): FoundRoute[] {
  if (root.kind === "seq") return root.items.flatMap((item) => routesOfItem(item, true, elements, report));
  if (root.kind !== "map") {
    report.error("no_routes", `a flow is a list of routes ('- route: ...'); found ${describeNode(root)}`, root);
    return [];
  }
  const routes = entryOf(root, "routes");
  if (routes !== undefined) return routesOfList(root, routes, elements, report);
  const kind = entryOf(root, "kind");
  if (kind !== undefined && entryOf(root, "from") === undefined) return routesOfResource(root, kind, elements, report);
  return routesOfItem(root, false, elements, report);
}

/** `{routes: [...]}`: entries are routes in any shape of an item. */
function routesOfList(root: MapNode, routes: Entry, elements: FoundElements, report: Report): FoundRoute[] {
  for (const entry of root.entries) {
    if (entry === routes) continue;
    if (documentKeys.has(entry.key)) {
      report.warning("no_effect", `'${entry.key}' beside 'routes' is for people: nothing reads it`, atKey(entry));
    } else report.error("unknown_option", `'${entry.key}' does not stand beside 'routes'`, atKey(entry));
  }
  if (routes.value.kind !== "seq") {
    report.error("wrong_type", `'routes' is a list; found ${describeNode(routes.value)}`, routes.value);
    return [];
  }
  return routes.value.items.flatMap((item) => routesOfItem(item, false, elements, report));
}

function routesOfItem(item: Node, stepsBelongInside: boolean, elements: FoundElements, report: Report): FoundRoute[] {
  if (item.kind !== "map" || item.entries.length === 0) {
    report.error(
      "wrong_type",
      `an item of a flow is a map such as 'route: ...' or 'from: ...'; found ${describeNode(item)}`,
      item,
    );
    return [];
  }
  if (entryOf(item, "from") !== undefined && item.entries.some(({ key }) => belongsToBareRoute(key))) {
    return [{ node: item, where: item, stepsBelongInside }];
  }
  return item.entries.flatMap((entry) => routesOfEntry(entry, elements, report));
}

/** `{id, from, steps}`: attributes of a route next to `from`, without an enclosing `route`. */
function belongsToBareRoute(key: string): boolean {
  const name = toCamelCase(key);
  return name !== "from" && (ownRouteAttributes.has(name) || !camelTopLevel.includes(name));
}

function routesOfEntry(entry: Entry, elements: FoundElements, report: Report): FoundRoute[] {
  const name = toCamelCase(entry.key);
  const { value } = entry;
  if (name === "from" || name === "route") elements.routeSeen = true;
  if (name === "from") {
    const node: MapNode = { kind: "map", entries: [entry], dropped: [], at: entry.keyAt, pointer: value.pointer };
    return [{ node, where: atKey(entry), stepsBelongInside: true }];
  }
  if (name === "route") {
    if (value.kind === "map") return [{ node: value, where: atKey(entry), stepsBelongInside: true }];
    report.error("wrong_type", `'route' is a map with 'from'; found ${describeNode(value)}`, atKey(entry));
  } else if (name === "routeConfiguration") {
    elements.configurations.push(entry);
  } else if (elementNames.has(name)) {
    if (elements.routeSeen === true) {
      const message = `'${name}' stands before the routes: it must be defined before any route of the document`;
      report.error("order", message, atKey(entry));
    }
    elements.elements.push(entry);
  } else if (camelTopLevel.includes(name)) {
    const message = `'${name}' is part of Camel's YAML DSL; this runtime does not have it yet: a flow holds 'route' and 'from'`;
    report.error("not_yet", message, atKey(entry));
  } else {
    const known = ["route", "from", "routes", ...elementNames, ...expandedElements];
    const hint = didYouMean(entry.key, known);
    report.error(
      "unknown_element",
      `unknown element '${entry.key.slice(0, 100)}'${hint}; a flow holds: ${listed(known)}`,
      atKey(entry),
    );
  }
  return [];
}

/** `kind: Integration` wraps a list of items in `spec.flows`. */
function routesOfResource(root: MapNode, kind: Entry, elements: FoundElements, report: Report): FoundRoute[] {
  const name = kind.value.kind === "scalar" ? kind.value.text : null;
  if (name !== "Integration") {
    const message = `kind ${describeNode(kind.value)} is not known: a flow is a list of routes, or an Integration or a Pipe`;
    report.error("unknown_element", message, kind.value);
    return [];
  }
  for (const entry of root.entries) {
    if (!resourceKeys.has(entry.key))
      report.error("unknown_option", `an Integration has no '${entry.key}'`, atKey(entry));
  }
  const spec = entryOf(root, "spec")?.value;
  const flows = spec?.kind === "map" ? entryOf(spec, "flows") : undefined;
  if (spec?.kind !== "map" || flows?.value.kind !== "seq") {
    report.error("no_routes", "an Integration holds its routes in the list spec.flows", spec ?? kind.value);
    return [];
  }
  for (const entry of spec.entries) {
    if (entry === flows) continue;
    if (deployment.has(entry.key)) {
      const message = `'spec.${entry.key}' is about where an Integration runs: nothing reads it here`;
      report.warning("no_effect", message, atKey(entry));
      continue;
    }
    const message = `'spec.${entry.key}' is part of Camel K; this runtime does not have it yet: only spec.flows is read`;
    report.error("not_yet", message, atKey(entry));
  }
  return flows.value.items.flatMap((item) => routesOfItem(item, true, elements, report));
}
