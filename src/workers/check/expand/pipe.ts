/**
 * Expands a Pipe (formerly KameletBinding) of Camel K: source, steps and sink as one route (Camel:
 * YamlRoutesBuilderLoader.preConfigurePipe).
 */
import type { Report } from "../report.ts";
import { atKey, describeNode, entryOf, type MapNode, type Node } from "../tree.ts";
import { itemAt, mapAt, scalarAt, scalarText, seqAt } from "./nodes.ts";

const specKeys = ["source", "steps", "sink", "errorHandler"];
/** Keys that concern the deployment of the pipe. */
const deployment = ["integration", "replicas", "serviceAccountName", "traits", "dependencies"];

/** Returns the route, after an error handler if there is one. */
export function pipeItems(pipe: MapNode, report: Report): readonly Node[] {
  const spec = entryOf(pipe, "spec")?.value;
  if (spec?.kind !== "map") {
    report.error("missing_option", "a Pipe has 'spec' with 'source' and 'sink'", pipe);
    return [];
  }
  for (const entry of spec.entries) {
    if (specKeys.includes(entry.key)) continue;
    if (deployment.includes(entry.key)) {
      report.warning(
        "no_effect",
        `'spec.${entry.key}' is about where a pipe runs: nothing reads it here`,
        atKey(entry),
      );
    } else report.error("unknown_option", `a Pipe has no 'spec.${entry.key}'`, atKey(entry));
  }
  const source = endpointOf(entryOf(spec, "source")?.value, "source", spec, report);
  const sink = endpointOf(entryOf(spec, "sink")?.value, "sink", spec, report);
  const written = entryOf(spec, "steps")?.value;
  const steps = written?.kind === "seq" ? written.items.map((step) => endpointOf(step, "step", spec, report)) : [];
  if (source === undefined || sink === undefined || steps.includes(undefined)) return [];
  const metadata = entryOf(pipe, "metadata")?.value;
  const name = metadata?.kind === "map" ? entryOf(metadata, "name")?.value : undefined;
  const calls = [...steps, sink].filter((to) => to !== undefined).map((to) => itemAt(to, "to", to));
  const from: MapNode = {
    ...source,
    entries: [...source.entries, { key: "steps", keyAt: spec.at, value: seqAt(spec, calls) }],
  };
  const route = itemAt(pipe, "route", mapAt(pipe, { id: name, from }));
  const handler = errorHandlerOf(entryOf(spec, "errorHandler")?.value, report);
  return handler === undefined ? [route] : [itemAt(handler, "errorHandler", handler), route];
}

/** Reads `{ref: {kind: Kamelet, name}, properties}` or `{uri, properties}` as an endpoint. */
function endpointOf(node: Node | undefined, what: string, where: MapNode, report: Report): MapNode | undefined {
  if (node?.kind !== "map") {
    const found = node === undefined ? "" : `; found ${describeNode(node)}`;
    report.error("missing_option", `a Pipe's ${what} has 'ref' or 'uri'${found}`, node ?? where);
    return undefined;
  }
  const parameters = entryOf(node, "properties")?.value;
  const types = entryOf(node, "dataTypes");
  if (types !== undefined) {
    report.error("not_yet", "data types of Camel K are not here: leave 'dataTypes' out", atKey(types));
    return undefined;
  }
  const uri = entryOf(node, "uri")?.value;
  if (uri !== undefined) return mapAt(node, { uri, parameters });
  const ref = entryOf(node, "ref")?.value;
  const name = ref?.kind === "map" ? entryOf(ref, "name")?.value : undefined;
  const kind = ref?.kind === "map" ? scalarText(entryOf(ref, "kind")?.value) : undefined;
  if (name?.kind === "scalar" && kind === "Kamelet") {
    return mapAt(node, { uri: scalarAt(`kamelet:${name.text ?? ""}`, name), parameters });
  }
  const message =
    kind === undefined
      ? `a Pipe's ${what} has 'ref' with 'kind' and 'name', or 'uri'`
      : `a Pipe's ${what} is a Kamelet or a 'uri'; '${kind}' belongs to Kubernetes`;
  report.error(kind === undefined ? "missing_option" : "not_yet", message, ref ?? node);
  return undefined;
}

/** Converts `none`, `log` and `sink` to Camel's errorHandler; their parameters are a redelivery policy. */
function errorHandlerOf(node: Node | undefined, report: Report): MapNode | undefined {
  if (node === undefined) return undefined;
  const [entry] = node.kind === "map" ? node.entries : [];
  const value = entry?.value;
  const redeliveryPolicy = value?.kind === "map" ? entryOf(value, "parameters")?.value : undefined;
  if (entry?.key === "none") return mapAt(node, { noErrorHandler: mapAt(node, {}) });
  if (entry?.key === "log") return mapAt(node, { defaultErrorHandler: mapAt(node, { redeliveryPolicy }) });
  if (entry?.key === "sink" && value?.kind === "map") {
    const endpoint = endpointOf(entryOf(value, "endpoint")?.value, "error handler", value, report);
    const uri = endpoint === undefined ? undefined : entryOf(endpoint, "uri")?.value;
    if (endpoint === undefined || uri?.kind !== "scalar") return undefined;
    const parameters = entryOf(endpoint, "parameters")?.value;
    const query =
      parameters?.kind === "map"
        ? parameters.entries.map(({ key, value }) => `${key}=RAW(${scalarText(value) ?? ""})`)
        : [];
    const deadLetterUri = scalarAt([uri.text, query.join("&")].filter((part) => part !== "").join("?"), uri);
    return mapAt(node, { deadLetterChannel: mapAt(node, { deadLetterUri, redeliveryPolicy }) });
  }
  report.error("unknown_option", "a Pipe's errorHandler is none, log or sink", node);
  return undefined;
}
