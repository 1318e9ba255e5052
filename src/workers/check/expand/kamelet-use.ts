/** One use of a kamelet: its name, its route's id and its parameters, in any of the forms of an endpoint. */

import { EndpointUriError, parseEndpointUri } from "../../engine/endpoint-uri.ts";
import type { Locals } from "../placeholders.ts";
import type { Report } from "../report.ts";
import { didYouMean, listed } from "../suggest.ts";
import { atKey, describeNode, type Node, placeInside, type ScalarNode, type Where } from "../tree.ts";
import type { Kamelet, Kamelets } from "./kamelet-catalog.ts";
import { checkParameters, type Given } from "./kamelet-parameters.ts";
import { scalarAt } from "./nodes.ts";

export interface KameletUse {
  readonly kamelet: Kamelet;
  readonly routeId: string | undefined;
  readonly locals: Locals;
  /** true: failures of its steps are left to the route that uses it. */
  readonly noErrorHandler: boolean;
  readonly where: Where;
}

export function isKameletUri(node: Node | undefined): node is ScalarNode {
  return node?.kind === "scalar" && /^\s*kamelet(?::|\s*$|\?)/.test(node.text ?? "");
}

/** Undefined when there is a problem, which is reported. */
export function readUse(
  uri: ScalarNode,
  parameters: Node | undefined,
  kamelets: Kamelets,
  report: Report,
): KameletUse | undefined {
  const text = uri.text ?? "";
  const lead = text.length - text.trimStart().length;
  const given: Given = new Map();
  let path: string;
  let where: Where;
  try {
    const parts = parseEndpointUri(text.trim());
    path = parts.path;
    where = placeInside(uri, lead + parts.pathIndex, path.length);
    for (const { name, nameIndex, value, valueIndex } of parts.query) {
      const key = placeInside(uri, lead + nameIndex, name.length);
      given.set(name, { key, value: scalarAt(value, placeInside(uri, lead + valueIndex, value.length)) });
    }
  } catch (error) {
    if (!(error instanceof EndpointUriError)) throw error;
    report.error("bad_uri", error.message, placeInside(uri, lead + error.index));
    return undefined;
  }
  if (!takeParameters(parameters, given, report)) return undefined;
  const [name = "", routeId] = path === "" ? pathOf(given) : path.split("/");
  if (name === "source" || name === "sink") {
    const message = "'kamelet:source' and 'kamelet:sink' are the ends of a Kamelet's own template";
    report.error("bad_uri", message, uri);
    return undefined;
  }
  const kamelet = kamelets.find(name);
  if (kamelet === undefined) {
    const message = `unknown kamelet '${name.slice(0, 100)}'${didYouMean(name, kamelets.names)}; here there are: ${listed(kamelets.names)}`;
    report.error("unknown_kamelet", message, path === "" ? uri : where);
    return undefined;
  }
  const noErrorHandler = given.get("noErrorHandler")?.value.text?.trim().toLowerCase() !== "false";
  given.delete("noErrorHandler");
  const locals = checkParameters(kamelet, given, where, report);
  return locals === undefined ? undefined : { kamelet, routeId, locals, noErrorHandler, where };
}

/** `uri: kamelet` with `templateId` and `routeId` among the parameters. */
function pathOf(given: Given): readonly string[] {
  const parts = ["templateId", "routeId"].map((name) => given.get(name)?.value.text ?? undefined);
  given.delete("templateId");
  given.delete("routeId");
  return parts.filter((part) => part !== undefined);
}

function takeParameters(parameters: Node | undefined, given: Given, report: Report): boolean {
  if (parameters === undefined || (parameters.kind === "scalar" && parameters.text === null)) return true;
  if (parameters.kind !== "map") {
    report.error("wrong_type", `'parameters' of a kamelet is a map; found ${describeNode(parameters)}`, parameters);
    return false;
  }
  let good = true;
  for (const entry of parameters.entries) {
    const { key, value } = entry;
    if (value.kind === "scalar" && value.text !== null) given.set(key, { key: atKey(entry), value });
    else if (value.kind !== "scalar") {
      report.error("wrong_type", `parameter '${key}' of a kamelet is text; found ${describeNode(value)}`, value);
      good = false;
    }
  }
  return good;
}

/** The same text for uses of the same route: Camel's endpoint, which is one for equal URIs. */
export function keyOf({ kamelet, routeId, locals, noErrorHandler }: KameletUse): string {
  const values = [...locals].map(([key, { text }]) => [key, text]).toSorted();
  return JSON.stringify([kamelet.name, routeId, noErrorHandler, values]);
}
