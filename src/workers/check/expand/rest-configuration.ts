/** Reads `restConfiguration`, which applies to all `rest` of a flow (Camel: RestConfiguration 4.22). */

import { didYouMean, listed } from "../../../shared/suggest.ts";
import type { Report } from "../report.ts";
import { atKey, describeNode, type Entry, entryOf, type Node, toCamelCase } from "../tree.ts";
import { isNothing, scalarText } from "./nodes.ts";
import { flag, idle, list, type Parts, text } from "./parts.ts";
import { defaultOptions, optionParts, type RestOptions, readOptions } from "./rest-options.ts";

export interface RestConfiguration {
  readonly contextPath: string;
  readonly options: RestOptions;
  /** Access-Control headers as configured, by name. */
  readonly corsHeaders: ReadonlyMap<string, string>;
}

const oneServer = "the runtime has one HTTP server, whose address is not the flow's";
/** Options that are accepted with a warning, because they have no effect. */
const noEffect: Readonly<Record<string, string>> = {
  component: "the runtime's own server answers",
  scheme: oneServer,
  host: oneServer,
  port: oneServer,
  apiHost: oneServer,
  hostNameResolver: oneServer,
  useXForwardHeaders: oneServer,
  producerComponent: "it is about calling rest services, which 'http' does",
  producerApiDoc: "it is about calling rest services, which 'http' does",
};
const noDocument = "no API document is served: leave it out";
const noProperties = "it belongs to Camel's own server: leave it out";
const refused: Readonly<Record<string, string>> = {
  apiContextPath: noDocument,
  apiContextRouteId: noDocument,
  apiComponent: noDocument,
  apiProperty: noDocument,
  apiProperties: noDocument,
  apiVendorExtension: noDocument,
  componentProperty: noProperties,
  componentProperties: noProperties,
  endpointProperty: noProperties,
  endpointProperties: noProperties,
  consumerProperty: noProperties,
  consumerProperties: noProperties,
  dataFormatProperty: "JSON is bound without classes: leave it out",
  dataFormatProperties: "JSON is bound without classes: leave it out",
  jsonDataFormat: "JSON is bound without classes: leave it out",
  xmlDataFormat: "only JSON is bound: use unmarshal and marshal in the route",
  bindingPackageScan: "JSON is bound without classes: leave it out",
  validationLevels: "a contract is not read: leave it out",
};
/** The headers that Camel sets (RestBindingAdvice.setCORSHeaders). */
const corsNames = ["Origin", "Methods", "Headers", "Credentials"].map((name) => `Access-Control-Allow-${name}`);
corsNames.push("Access-Control-Max-Age");
const ownParts: Parts = {
  contextPath: text("The path before all paths of the services, such as `/shop`."),
  corsHeaders: list("Access-Control headers that differ from the usual ones; a map of names and values is well, too.", {
    key: text("The header's name, such as Access-Control-Allow-Origin."),
    value: text("The header's value."),
  }),
  inlineRoutes: flag("No effect: the routes that services call do the same either way."),
  ...optionParts,
};
const own = Object.keys(ownParts);

export const configurationParts: Parts = {
  ...ownParts,
  ...Object.fromEntries(Object.entries(noEffect).map(([name, why]) => [name, idle(why)])),
};

/** Merges several configurations; later values replace earlier ones. */
export function readRestConfiguration(entries: readonly Entry[], report: Report): RestConfiguration {
  let configuration: RestConfiguration = { contextPath: "", options: defaultOptions, corsHeaders: new Map() };
  for (const entry of entries) configuration = readOne(entry, configuration, report);
  return configuration;
}

function readOne(entry: Entry, before: RestConfiguration, report: Report): RestConfiguration {
  const node = entry.value;
  if (isNothing(node)) return before;
  if (node.kind !== "map") {
    report.error("wrong_type", `'restConfiguration' is a map; found ${describeNode(node)}`, atKey(entry));
    return before;
  }
  for (const option of node.entries) checkOption(option, report);
  const headers = new Map([...before.corsHeaders, ...headersOf(entryOf(node, "corsHeaders")?.value, report)]);
  return {
    contextPath: scalarText(entryOf(node, "contextPath")?.value) ?? before.contextPath,
    options: readOptions(node, before.options, "restConfiguration", report),
    corsHeaders: headers,
  };
}

function checkOption(option: Entry, report: Report): void {
  const name = toCamelCase(option.key);
  if (isNothing(option.value) || own.includes(name)) return;
  if (Object.hasOwn(noEffect, name)) {
    if (name === "component" && scalarText(option.value) === "platform-http") return;
    report.warning(
      "no_effect",
      `'${option.key}' of 'restConfiguration' has no effect: ${noEffect[name]}`,
      atKey(option),
    );
  } else if (Object.hasOwn(refused, name)) {
    report.error("not_yet", `'${option.key}' of 'restConfiguration' is refused: ${refused[name]}`, atKey(option));
  } else {
    const hint = didYouMean(option.key, own);
    report.error(
      "unknown_option",
      `'restConfiguration' has no '${option.key}'${hint}; it has: ${listed(own)}`,
      atKey(option),
    );
  }
}

/** Reads `[{key, value}]`, or a map. */
function headersOf(node: Node | undefined, report: Report): [string, string][] {
  if (node === undefined || isNothing(node)) return [];
  const entries = node.kind === "map" ? node.entries : node.kind === "seq" ? node.items.flatMap(pairOf) : [];
  if (node.kind === "scalar" || (node.kind === "seq" && entries.length < node.items.length)) {
    const message = `'corsHeaders' is a list of maps with 'key' and 'value'; found ${describeNode(node)}`;
    report.error("wrong_type", message, node);
  }
  return entries.map((entry) => {
    if (!corsNames.includes(entry.key)) {
      const message = `the CORS header '${entry.key}' is not set${didYouMean(entry.key, corsNames)}: there are ${listed(corsNames)}; set others in the route`;
      report.warning("no_effect", message, atKey(entry));
    }
    return [entry.key, scalarText(entry.value) ?? ""];
  });
}

function pairOf(item: Node): Entry[] {
  const key = item.kind === "map" ? entryOf(item, "key")?.value : undefined;
  const value = item.kind === "map" ? entryOf(item, "value")?.value : undefined;
  if (key?.kind !== "scalar" || key.text === null || value === undefined) return [];
  return [{ key: key.text, keyAt: key.at, value }];
}
