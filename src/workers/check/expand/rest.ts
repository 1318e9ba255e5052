/**
 * Expands `rest` to routes that begin with platform-http: one for each method of each path, and one that answers
 * OPTIONS for the paths with CORS. The step restBinding does what Camel's RestBindingAdvice does around a service
 * (Camel: RestDefinition.asRouteDefinition).
 */

import { parseHttpPath } from "../../../shared/http-path.ts";
import { listed } from "../../../shared/suggest.ts";
import type { Report } from "../report.ts";
import { restClaimsReservedPath } from "../reserved-paths.ts";
import {
  atKey,
  describeNode,
  type Entry,
  entryOf,
  type MapNode,
  type Node,
  type ScalarNode,
  type Where,
} from "../tree.ts";
import { type Expansion, routeItem } from "./expansion.ts";
import { isNothing, itemAt, mapAt, scalarAt, scalarText, seqAt } from "./nodes.ts";
import type { RestConfiguration } from "./rest-configuration.ts";
import { joinPaths } from "./rest-endpoint.ts";
import { checkKeys, pathOf, verbs } from "./rest-keys.ts";
import { flagIn, type RestOptions, readOptions } from "./rest-options.ts";
import { readParams } from "./rest-params.ts";

/** Returns the routes of all services of a flow. */
export function expandRest(
  entries: readonly Entry[],
  configuration: RestConfiguration,
  expansion: Expansion,
): readonly MapNode[] {
  const cors = new Map<string, MapNode>();
  const routes = entries.flatMap((entry) => expandService(entry, configuration, cors, expansion));
  return [...routes, ...cors.values()];
}

function expandService(
  entry: Entry,
  configuration: RestConfiguration,
  cors: Map<string, MapNode>,
  expansion: Expansion,
): readonly MapNode[] {
  const { report } = expansion;
  const rest = entry.value;
  if (isNothing(rest)) return [];
  if (rest.kind !== "map") {
    const message = `'rest' is a map with 'path' and methods such as 'get'; found ${describeNode(rest)}`;
    report.error("wrong_type", message, atKey(entry));
    return [];
  }
  if (flagIn(rest, "disabled", false, "rest", report)) return [];
  if (restClaimsReservedPath(rest, configuration.contextPath, report)) return [];
  const openApi = entryOf(rest, "openApi");
  if (openApi !== undefined) {
    const instead = "no OpenAPI document is read: write its methods, as 'get: [{path: ..., to: {uri: direct:...}}]'";
    report.error("not_yet", `'openApi' of 'rest' is refused: ${instead}`, atKey(openApi));
    return [];
  }
  checkKeys(rest, "rest", report);
  const basePath = pathOf(rest);
  const service: Service = {
    id: scalarText(entryOf(rest, "id")?.value),
    basePath,
    options: readOptions(rest, configuration.options, "rest", report),
    configuration,
    cors,
  };
  const methods = rest.entries.filter(({ key }) => verbs.includes(key));
  if (methods.length === 0) {
    report.warning("no_effect", `'rest' has no methods: there are ${listed(verbs)}`, atKey(entry));
  }
  return methods.flatMap((verb) => expandVerb(verb, service, expansion));
}

function expandVerb({ key, value }: Entry, service: Service, expansion: Expansion): MapNode[] {
  const { report } = expansion;
  if (value.kind !== "seq") {
    report.error("wrong_type", `'${key}' of 'rest' is a list of maps; found ${describeNode(value)}`, value);
    return [];
  }
  return value.items.flatMap((item) => {
    if (item.kind !== "map") {
      report.error("wrong_type", `an entry of '${key}' is a map with 'to'; found ${describeNode(item)}`, item);
      return [];
    }
    if (flagIn(item, "disabled", false, key, report)) return [];
    const route = methodRoute(key, item, service, expansion);
    return route === undefined ? [] : [route];
  });
}

/** The attributes of a `rest` that its methods share. */
export interface Service {
  readonly id: string | undefined;
  readonly basePath: ScalarNode | undefined;
  readonly options: RestOptions;
  readonly configuration: RestConfiguration;
  /** The flow's routes that answer OPTIONS, by the key of their paths. */
  readonly cors: Map<string, MapNode>;
}

/** Returns undefined after a problem, which is reported. */
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
    const message = `'${verb}' of 'rest' needs 'to', such as 'to: {uri: direct:name}'`;
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
  const name = scalarText(entryOf(item, "id")?.value);
  const made = (): string => expansion.routeId(...(name === undefined ? [service.id ?? flowId, verb, path] : [name]));
  const id = explicit?.kind === "scalar" ? explicit : scalarAt(made(), where);
  const { consumes, produces } = options;
  return routeFrom(item, id, { path, httpMethodRestrict: verb.toUpperCase(), consumes, produces }, binding, where);
}

/** Warns of classes from which Camel would make objects. */
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

/** Returns the options of the step restBinding. */
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
