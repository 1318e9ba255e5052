/**
 * `rest` as routes that begin with platform-http: one for each method of each path, and one that answers OPTIONS for the paths
 * with CORS. What Camel's RestBindingAdvice does around a service is step restBinding (Camel: RestDefinition.asRouteDefinition).
 */
import { restClaimsReservedPath } from "../reserved-paths.ts";
import { listed } from "../suggest.ts";
import { atKey, describeNode, type Entry, entryOf, type MapNode } from "../tree.ts";
import type { Expansion } from "./expansion.ts";
import { isNothing, textOf } from "./nodes.ts";
import type { RestConfiguration } from "./rest-configuration.ts";
import { checkKeys, pathOf, verbs } from "./rest-keys.ts";
import { flagIn, readOptions } from "./rest-options.ts";
import { methodRoute, type Service } from "./rest-verb.ts";

/** The routes of all services of a flow. */
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
    const instead = "write its methods, as 'get: [{path: ..., to: direct:...}]'";
    report.error("not_yet", `a rest service made of an OpenAPI document is not here: ${instead}`, atKey(openApi));
    return [];
  }
  checkKeys(rest, "rest", report);
  const basePath = pathOf(rest);
  const service: Service = {
    id: textOf(entryOf(rest, "id")?.value),
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
