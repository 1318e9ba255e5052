/** Finds paths of the management API among those that a flow would serve: `from` endpoints and `rest` blocks. */
import { reservedPathProblem } from "../../shared/reserved-path.ts";
import { parseEndpointUri } from "../engine/endpoint-uri.ts";
import type { Report, Scope } from "./report.ts";
import { entryOf, type MapNode, type Node, type ScalarNode } from "./tree.ts";

/** Schemes whose consumers serve HTTP paths, now or in a later release. */
const serving = new Set(
  "platform-http webhook rest rest-api rest-openapi http https servlet jetty undertow netty-http vertx-http vertx-websocket websocket atmosphere-websocket knative cxf cxfrs spring-ws".split(
    " ",
  ),
);
const pathParameters = ["path", "uriTemplate", "httpUri", "httpURI", "contextPath", "servletName"];
const verbs = new Set("get post put patch delete head options trace connect".split(" "));

/** Returns true if the endpoint of a `from` claims a reserved path, which is reported. */
export function claimsReservedPath(
  uri: Node | undefined,
  parameters: Node | undefined,
  report: Report,
  scope: Scope,
): boolean {
  if (uri?.kind !== "scalar" || uri.text === null) return false;
  const text = uri.text.trim();
  const scheme = /^[A-Za-z][\w+.-]*/.exec(text)?.[0].toLowerCase() ?? "";
  if (!serving.has(scheme)) return false;
  const { path, query } = uriParts(text);
  const option = (name: string): ScalarNode | undefined => {
    const value = parameters?.kind === "map" ? entryOf(parameters, name)?.value : undefined;
    return value?.kind === "scalar" && value.text !== null ? value : undefined;
  };
  const prefix = /^true$/i.test(option("matchOnUriPrefix")?.text ?? query.get("matchOnUriPrefix") ?? "");
  const found: [string, ScalarNode][] = [[scheme === "rest" ? restPath(path) : path, uri]];
  for (const name of pathParameters) {
    const parameter = option(name);
    if (parameter !== undefined) found.push([parameter.text as string, parameter]);
    const inQuery = query.get(name);
    if (inQuery !== undefined) found.push([inQuery, uri]);
  }
  const base = option("path")?.text;
  const template = option("uriTemplate");
  if (base !== undefined && template !== undefined) found.push([`${base}/${template.text}`, template]);
  for (const [candidate, where] of found) {
    // Without a path, the route has its own: /api/<route id>.
    if (candidate.trim() === "" && !(prefix && where !== uri)) continue;
    const problem = reservedPathProblem(candidate, { prefix });
    if (problem === undefined) continue;
    report.error("reserved_path", problem, where, scope);
    return true;
  }
  return false;
}

/** Splits a URI that may be malformed; its conversion reports faults. */
function uriParts(text: string): { path: string; query: ReadonlyMap<string, string> } {
  try {
    const { path, query } = parseEndpointUri(text);
    return { path, query: new Map(query.map(({ name, value }) => [name, value])) };
  } catch {
    return { path: text.replace(/^[^:]*:/, ""), query: new Map() };
  }
}

/** `rest:get:base:template` begins with a method; the rest is joined. */
function restPath(path: string): string {
  const [method, base, template] = path.split(":");
  return verbs.has((method ?? "").toLowerCase()) ? [base, template].filter(Boolean).join("/") : path;
}

/**
 * Returns true if a path of a `rest` block is reserved, which is reported. `contextPath` is that of restConfiguration.
 */
export function restClaimsReservedPath(rest: Node, contextPath: string, report: Report): boolean {
  if (rest.kind !== "map") return false;
  const base = textOf(rest, "path") ?? textOf(rest, "uri");
  const root = `${contextPath}/${base?.text ?? ""}`;
  const claim = (path: string, where: ScalarNode): boolean => {
    const problem = reservedPathProblem(path);
    if (problem !== undefined) report.error("reserved_path", problem, where);
    return problem !== undefined;
  };
  if (base !== undefined && (claim(base.text ?? "", base) || claim(root, base))) return true;
  for (const { key, value } of rest.entries) {
    if (!verbs.has(key)) continue;
    const items = value.kind === "seq" ? value.items : [value];
    for (const item of items) {
      const path = item.kind === "map" ? (textOf(item, "path") ?? textOf(item, "uri")) : undefined;
      if (path !== undefined && claim(`${root}/${path.text}`, path)) return true;
    }
  }
  return false;
}

function textOf(map: MapNode, key: string): ScalarNode | undefined {
  const value = entryOf(map, key)?.value;
  return value?.kind === "scalar" && value.text !== null ? value : undefined;
}
