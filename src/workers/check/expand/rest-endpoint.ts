/** Rewrites `from: rest:get:/path` as platform-http (Camel: RestEndpoint.createConsumer). */

import { EndpointUriError, parseEndpointUri } from "../../engine/endpoint-uri.ts";
import type { Report } from "../report.ts";
import { type Entry, entryOf, type MapNode, type Node, type ScalarNode, toCamelCase } from "../tree.ts";
import { mapAt, scalarAt, scalarText, withEntry } from "./nodes.ts";
import type { RestConfiguration } from "./rest-configuration.ts";

/** Options that platform-http also has; others are for API documents, or for callers of other services. */
const kept = ["consumes", "produces"];
const documentation = ["description", "inType", "outType", "routeId", "apiDoc"];
const calling = "it is about calling rest services, which 'http' does";
const noEffect: Readonly<Record<string, string>> = {
  bindingMode:
    "bodies are bound for the methods of 'rest', and left alone in a route that begins with rest:, as in Camel",
  queryParameters: calling,
  host: calling,
  producerComponentName: calling,
  consumerComponentName: "the runtime's own server answers",
};

/** Returns the item with the `from` of its route rewritten, if its scheme is `rest`. */
export function expandRestEndpoint(item: Node, configuration: RestConfiguration, report: Report): Node {
  if (item.kind !== "map") return item;
  const inner = item.entries.find(({ key, value }) => toCamelCase(key) === "route" && value.kind === "map");
  if (inner !== undefined) {
    const route = rewritten(inner.value as MapNode, configuration, report);
    return route === inner.value ? item : withEntry(item, inner.key, route);
  }
  return rewritten(item, configuration, report);
}

function rewritten(route: MapNode, configuration: RestConfiguration, report: Report): MapNode {
  const from = entryOf(route, "from")?.value;
  const uri = from?.kind === "map" ? entryOf(from, "uri")?.value : from;
  if (from === undefined || uri?.kind !== "scalar" || !/^\s*rest(?::|\?|$)/.test(uri.text ?? "")) return route;
  const parameters = from.kind === "map" ? entryOf(from, "parameters")?.value : undefined;
  const made = platformHttp(uri, parameters?.kind === "map" ? parameters.entries : [], configuration, report);
  if (made === undefined) return route;
  const map = from.kind === "map" ? from : mapAt(from, {});
  return withEntry(route, "from", withEntry(withEntry(map, "uri", scalarAt("platform-http", uri)), "parameters", made));
}

/** Returns undefined for a URI that cannot be read; its conversion reports that. */
function platformHttp(
  uri: ScalarNode,
  parameters: readonly Entry[],
  { contextPath }: RestConfiguration,
  report: Report,
): MapNode | undefined {
  const given = new Map<string, Node>();
  const others: Entry[] = [];
  let path: string;
  try {
    const parts = parseEndpointUri((uri.text ?? "").trim());
    path = parts.path;
    for (const { name, value } of parts.query) given.set(name, scalarAt(value, uri));
  } catch (error) {
    if (error instanceof EndpointUriError) return undefined;
    throw error;
  }
  for (const entry of parameters) given.set(toCamelCase(entry.key), entry.value);
  const [first = "", second = "", ...more] = path.split(":");
  const method = scalarText(given.get("method")) ?? first;
  const base = scalarText(given.get("path")) ?? second;
  const template = scalarText(given.get("uriTemplate")) ?? (more.join(":") || undefined);
  const known = ["method", "path", "uriTemplate", ...kept, ...documentation, ...Object.keys(noEffect)];
  for (const [key, value] of given) {
    const why = isUsual(key, value) || !Object.hasOwn(noEffect, key) ? undefined : noEffect[key];
    if (why !== undefined) report.warning("no_effect", `'${key}' of 'rest:' has no effect: ${why}`, value);
    if (!known.includes(key)) others.push({ key, keyAt: value.at, value });
  }
  const where = given.get("path") ?? uri;
  const map = mapAt(uri, {
    path: scalarAt(joinPaths(contextPath, base, template), where),
    httpMethodRestrict: scalarAt(method.toUpperCase(), uri),
    consumes: given.get("consumes"),
    produces: given.get("produces"),
  });
  return { ...map, entries: [...map.entries, ...others] };
}

/** Whether the option has no effect here. */
function isUsual(key: string, value: Node): boolean {
  const text = scalarText(value)?.toLowerCase();
  return (key === "bindingMode" && text === "off") || (key === "consumerComponentName" && text === "platform-http");
}

/**
 * Joins the context path, the service's and the verb's path, with one slash between them and none at the end. A verb's
 * path that is only a slash, or is present and empty, leaves a final slash: `/orders` and `/` are `/orders/`, which
 * requests for `/orders` do not match.
 */
export function joinPaths(contextPath: string, base: string, template: string | undefined): string {
  const path = `/${[contextPath, base, template ?? ""]
    .map(withoutSlashes)
    .filter((part) => part !== "")
    .join("/")}`;
  const bare = template !== undefined && withoutSlashes(template) === "";
  return bare && path !== "/" ? `${path}/` : path;
}

function withoutSlashes(text: string): string {
  let from = 0;
  let to = text.length;
  while (text[from] === "/") from += 1;
  while (to > from && text[to - 1] === "/") to -= 1;
  return text.slice(from, to);
}
