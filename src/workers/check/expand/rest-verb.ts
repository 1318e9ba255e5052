/** One method of one path of a rest service as a route, and the route that answers OPTIONS for a path with CORS. */
import { parseHttpPath } from "../../../shared/http-path.ts";
import type { Report } from "../report.ts";
import { atKey, entryOf, type MapNode, type Node, type ScalarNode, type Where } from "../tree.ts";
import { type Expansion, routeItem } from "./expansion.ts";
import { isNothing, itemAt, mapAt, scalarAt, seqAt, textOf } from "./nodes.ts";
import type { RestConfiguration } from "./rest-configuration.ts";
import { checkKeys, pathOf } from "./rest-keys.ts";
import { type RestOptions, readOptions } from "./rest-options.ts";
import { readParams } from "./rest-params.ts";
import { joinPaths } from "./rest-path.ts";

/** A `rest` around its methods. */
export interface Service {
  readonly id: string | undefined;
  readonly basePath: ScalarNode | undefined;
  readonly options: RestOptions;
  readonly configuration: RestConfiguration;
  /** The flow's routes that answer OPTIONS, by what their paths match. */
  readonly cors: Map<string, MapNode>;
}

/** Undefined: there is a problem, which is reported. */
export function methodRoute(verb: string, item: MapNode, service: Service, expansion: Expansion): MapNode | undefined {
  const { report, flowId } = expansion;
  const known = checkKeys(item, verb, report);
  const options = readOptions(item, service.options, verb, report);
  const params = readParams(item, options.clientRequestValidation, report);
  if (options.bindingMode !== "off") warnOfClasses(item, verb, report);
  const own = pathOf(item);
  const where: Where = own ?? service.basePath ?? item;
  const path = joinPaths(service.configuration.contextPath, trimmed(service.basePath), own && trimmed(own));
  if (path.includes("?")) {
    report.error("invalid_value", "a rest path has no query: parameters of the query stand in 'param'", where);
    return undefined;
  }
  const to = entryOf(item, "to");
  if (to === undefined || isNothing(to.value)) {
    const message = `'${verb}' of 'rest' needs 'to', such as 'to: direct:name'`;
    if (known) report.error("missing_option", message, to ? atKey(to) : item);
    return undefined;
  }
  const binding = mapAt(where, {
    ...bindingOptions(options, service, where),
    ...params,
    steps: seqAt(to.value, [itemAt(atKey(to), "to", to.value)]),
  });
  if (options.enableCORS) answerOptions(path, service, where, expansion);
  const explicit = entryOf(item, "routeId")?.value;
  const name = textOf(entryOf(item, "id")?.value);
  const made = (): string => expansion.routeId(...(name === undefined ? [service.id ?? flowId, verb, path] : [name]));
  const id = explicit?.kind === "scalar" ? explicit : scalarAt(made(), where);
  const { consumes, produces } = options;
  return routeFrom(item, id, { path, httpMethodRestrict: verb.toUpperCase(), consumes, produces }, binding, where);
}

/** Camel makes objects of these classes. */
function warnOfClasses(item: MapNode, verb: string, report: Report): void {
  for (const key of ["type", "outType"]) {
    const entry = entryOf(item, key);
    if (entry === undefined || isNothing(entry.value)) continue;
    const message = `'${key}' of '${verb}' has no effect: there are no Java classes, a JSON body becomes a map or a list`;
    report.warning("no_effect", message, atKey(entry));
  }
}

/** Camel adds OPTIONS to each consumer of a path with CORS; here one route answers it for all methods. */
function answerOptions(path: string, service: Service, where: Where, expansion: Expansion): void {
  const { cors, id } = service;
  const parsed = parseHttpPath(path);
  const key = "problem" in parsed ? path : parsed.key;
  if (cors.has(key)) return;
  const routeId = scalarAt(expansion.routeId(id ?? expansion.flowId, "options", path), where);
  const binding = mapAt(where, { ...corsOptions(service, where), preflight: "true", steps: seqAt(where, []) });
  cors.set(key, routeFrom(where, routeId, { path, httpMethodRestrict: "OPTIONS" }, binding, where));
}

function routeFrom(
  at: Where,
  id: ScalarNode,
  parameters: Readonly<Record<string, Node | string | undefined>>,
  binding: MapNode,
  where: Where,
): MapNode {
  const steps = seqAt(where, [itemAt(where, "restBinding", binding)]);
  const from = mapAt(where, { uri: "platform-http", parameters: mapAt(where, parameters), steps });
  return routeItem(mapAt(at, { id, from }));
}

/** The options of step restBinding. */
function bindingOptions(
  options: RestOptions,
  service: Service,
  where: Where,
): Record<string, Node | string | undefined> {
  return {
    bindingMode: options.bindingMode,
    consumes: options.consumes,
    produces: options.produces,
    validate: String(options.clientRequestValidation),
    skipBindingOnErrorCode: String(options.skipBindingOnErrorCode),
    enableNoContentResponse: String(options.enableNoContentResponse),
    ...(options.enableCORS && corsOptions(service, where)),
  };
}

function corsOptions({ configuration }: Service, where: Where): Record<string, Node> {
  return { cors: mapAt(where, Object.fromEntries(configuration.corsHeaders)) };
}

function trimmed(node: ScalarNode | undefined): string {
  return node?.text?.trim() ?? "";
}
