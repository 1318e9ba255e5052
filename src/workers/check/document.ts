/** The shapes that a document may have, down to the list of its routes. */
import { camelTopLevel } from "./camel-names.ts";
import type { Report } from "./report.ts";
import { restClaimsReservedPath } from "./reserved-paths.ts";
import type { FoundRoute } from "./route.ts";
import { ownRouteAttributes } from "./route-attributes.ts";
import { didYouMean, listed } from "./suggest.ts";
import { atKey, describeNode, type Entry, entryOf, type MapNode, type Node, toCamelCase } from "./tree.ts";

/** What designers write beside `routes` for people. */
const documentKeys = new Set(["id", "name", "description", "note", "category", "version"]);
const resourceKeys = new Set(["apiVersion", "kind", "metadata", "spec", "status"]);

/**
 * The routes of a list of items (Camel), of one item, of `{id, from, steps}`, of `{routes: [...]}`, or of the resource
 * `kind: Integration`. What else a document of Camel may hold is answered with `not_yet`.
 */
export function findRoutes(root: Node, report: Report): FoundRoute[] {
  if (root.kind === "seq") {
    const contextPath = restContextPath(root.items);
    return root.items.flatMap((item) => routesOfItem(item, contextPath, true, report));
  }
  if (root.kind !== "map") {
    report.error("no_routes", `a flow is a list of routes ('- route: ...'); found ${describeNode(root)}`, root);
    return [];
  }
  const routes = entryOf(root, "routes");
  if (routes !== undefined) return routesOfList(root, routes, report);
  const kind = entryOf(root, "kind");
  if (kind !== undefined && entryOf(root, "from") === undefined) return routesOfResource(root, kind, report);
  return routesOfItem(root, restContextPath([root]), false, report);
}

/** `{routes: [...]}`: entries are routes, in any of the shapes of an item. */
function routesOfList(root: MapNode, routes: Entry, report: Report): FoundRoute[] {
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
  return routes.value.items.flatMap((item) => routesOfItem(item, "", false, report));
}

function routesOfItem(item: Node, contextPath: string, stepsBelongInside: boolean, report: Report): FoundRoute[] {
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
  return item.entries.flatMap((entry) => routesOfEntry(entry, contextPath, report));
}

/** `{id, from, steps}`: attributes of a route beside `from`, without `route` around them. */
function belongsToBareRoute(key: string): boolean {
  const name = toCamelCase(key);
  return name !== "from" && (ownRouteAttributes.has(name) || !camelTopLevel.includes(name));
}

function routesOfEntry(entry: Entry, contextPath: string, report: Report): FoundRoute[] {
  const name = toCamelCase(entry.key);
  const { value } = entry;
  if (name === "from") {
    const node: MapNode = { kind: "map", entries: [entry], dropped: [], at: entry.keyAt, pointer: value.pointer };
    return [{ node, where: atKey(entry), stepsBelongInside: true }];
  }
  if (name === "route") {
    if (value.kind === "map") return [{ node: value, where: atKey(entry), stepsBelongInside: true }];
    report.error("wrong_type", `'route' is a map with 'from'; found ${describeNode(value)}`, atKey(entry));
  } else if (name === "rest" && restClaimsReservedPath(value, contextPath, report)) {
    // The path is refused for good; that rest itself is not there yet does not matter then.
  } else if (camelTopLevel.includes(name)) {
    const message = `'${name}' is part of Camel's YAML DSL; this runtime does not have it yet: a flow holds 'route' and 'from'`;
    report.error("not_yet", message, atKey(entry));
  } else {
    const known = ["route", "from", "routes"];
    const hint = didYouMean(entry.key, [...known, ...camelTopLevel]);
    report.error(
      "unknown_element",
      `unknown element '${entry.key.slice(0, 100)}'${hint}; a flow holds: ${listed(known)}`,
      atKey(entry),
    );
  }
  return [];
}

/** `kind: Integration` wraps a list of items in `spec.flows`. */
function routesOfResource(root: MapNode, kind: Entry, report: Report): FoundRoute[] {
  const name = kind.value.kind === "scalar" ? kind.value.text : null;
  if (name !== "Integration") {
    const known = ["Pipe", "KameletBinding", "Kamelet"].includes(name ?? "");
    const what = known ? "is part of Camel K; this runtime does not have it yet" : "is not known";
    report.error(
      known ? "not_yet" : "unknown_element",
      `kind ${describeNode(kind.value)} ${what}: a flow is a list of routes`,
      kind.value,
    );
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
    const message = `'spec.${entry.key}' is part of Camel K; this runtime does not have it yet: only spec.flows is read`;
    report.error("not_yet", message, atKey(entry));
  }
  const contextPath = restContextPath(flows.value.items);
  return flows.value.items.flatMap((item) => routesOfItem(item, contextPath, true, report));
}

/** restConfiguration's path before all paths of `rest`. */
function restContextPath(items: readonly Node[]): string {
  for (const item of items) {
    const configuration = item.kind === "map" ? entryOf(item, "restConfiguration")?.value : undefined;
    const path = configuration?.kind === "map" ? entryOf(configuration, "contextPath")?.value : undefined;
    if (path?.kind === "scalar" && path.text !== null) return path.text;
  }
  return "";
}
