/** Reads a use of a kamelet in any form of an endpoint: its name, its route's id and its parameters. */

import { choices, didYouMean, listed } from "../../../shared/suggest.ts";
import { EndpointUriError, parseEndpointUri } from "../../engine/endpoint-uri.ts";
import type { KameletProperty } from "../../kamelets/definition.ts";
import type { Locals } from "../placeholders.ts";
import type { Report } from "../report.ts";
import { atKey, describeNode, type Node, placeInside, type ScalarNode, toCamelCase, type Where } from "../tree.ts";
import { missingKamelet } from "./camel-kamelets.ts";
import type { Kamelet, Kamelets } from "./kamelet-catalog.ts";
import { scalarAt } from "./nodes.ts";

/** The parameters of a use by name. */
export type Given = Map<string, { readonly key: Where; readonly value: ScalarNode }>;

export interface KameletUse {
  readonly kamelet: Kamelet;
  readonly routeId: string | undefined;
  readonly locals: Locals;
  /** true: failures of its steps are handled by the route that uses it. */
  readonly noErrorHandler: boolean;
  readonly where: Where;
}

export function isKameletUri(node: Node | undefined): node is ScalarNode {
  return node?.kind === "scalar" && /^\s*kamelet(?::|\s*$|\?)/.test(node.text ?? "");
}

/** Returns undefined after a problem, which is reported. */
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
  const missing = kamelet === undefined ? missingKamelet(name) : undefined;
  if (missing !== undefined) {
    report.error("not_yet", `kamelet '${name}' is refused: ${missing}`, path === "" ? uri : where);
    return undefined;
  }
  if (kamelet === undefined) {
    const hint = didYouMean(name, kamelets.names);
    const there = choices(hint, "here there are", kamelets.names);
    const message = `unknown kamelet '${name.slice(0, 100)}'${hint}${there}`;
    report.error("unknown_kamelet", message, path === "" ? uri : where);
    return undefined;
  }
  const noErrorHandler = given.get("noErrorHandler")?.value.text?.trim().toLowerCase() !== "false";
  given.delete("noErrorHandler");
  const locals = checkParameters(kamelet, given, where, report);
  return locals === undefined ? undefined : { kamelet, routeId, locals, noErrorHandler, where };
}

/** Reads `uri: kamelet` with `templateId` and `routeId` among the parameters. */
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

/** Parameters of the endpoint itself that are refused, with the reasons. */
const refused: Readonly<Record<string, string>> = {
  location: "kamelets are in the flow's own text, or the runtime's",
  block: "a kamelet's route is always there",
  timeout: "a kamelet's route is always there",
  failIfNoConsumers: "a kamelet's route is always there",
  bridgeErrorHandler: "a kamelet's errors reach the route that uses it",
  exceptionHandler: "a kamelet's errors reach the route that uses it",
  exchangePattern: "a kamelet keeps its caller's exchange pattern",
  lazyStartProducer: "a kamelet's route is made when the flow is deployed",
};

/** Returns the properties with their values or defaults; reports all problems of a use. */
export function checkParameters(kamelet: Kamelet, given: Given, where: Where, report: Report): Locals | undefined {
  const { name, properties } = kamelet;
  const locals = new Map<string, ScalarNode>();
  const names = Object.keys(properties);
  const meant = new Set<string>();
  let good = true;
  const problem = (code: string, message: string, at: Where): void => {
    report.error(code, message, at);
    good = false;
  };
  for (const [key, { key: at, value }] of given) {
    const option = names.includes(key) ? key : toCamelCase(key);
    const property = names.includes(option) ? properties[option] : undefined;
    if (property !== undefined) {
      const fault = valueProblem(property, value.text ?? "");
      if (property.idle !== undefined) {
        report.warning("no_effect", `'${key}' of kamelet '${name}' has no effect: ${property.idle}`, at);
      }
      if (fault === undefined) locals.set(option, value);
      else
        problem(
          property.only === undefined ? "invalid_value" : "not_yet",
          `'${key}' of kamelet '${name}' ${fault}`,
          value,
        );
      meant.add(option);
    } else if (Object.hasOwn(refused, key)) {
      problem("not_yet", `'${key}' of a kamelet is refused: ${refused[key]}: leave it out`, at);
    } else if (kamelet.routeTemplate !== undefined) {
      // As in Camel, it fills in `{{key}}` all the same.
      locals.set(key, value);
      const hint = didYouMean(key, names);
      report.warning("no_effect", `the route template '${name}' declares no parameter '${key}'${hint}`, at);
      meant.add(guessed(hint));
    } else {
      const hint = didYouMean(key, names);
      const choice = names.length === 0 ? "it has none" : `its properties: ${listed(names)}`;
      problem("unknown_option", `kamelet '${name}' has no property '${key}'${hint}; ${choice}`, at);
      meant.add(guessed(hint));
    }
  }
  const missing: string[] = [];
  for (const [key, property] of Object.entries(properties)) {
    if (locals.has(key) || meant.has(key)) continue;
    if (property.default !== undefined) locals.set(key, scalarAt(property.default, where));
    else if (property.required === true) missing.push(key);
  }
  if (missing.length > 0) {
    problem("missing_option", `kamelet '${name}' needs ${missing.map((key) => `'${key}'`).join(", ")}`, where);
  }
  return good ? locals : undefined;
}

/** Returns the name that a hint suggests. */
function guessed(hint: string): string {
  return /'([^']*)'\?\)$/.exec(hint)?.[1] ?? "";
}

function valueProblem(property: KameletProperty, text: string): string | undefined {
  const { type, only, why, pattern } = property;
  const value = text.trim();
  if (only !== undefined && !only.includes(value.toLowerCase())) return `is refused: ${why}`;
  if (type === "boolean" && !/^(true|false)$/i.test(value)) return `is true or false; found '${value.slice(0, 60)}'`;
  if (property.enum?.some((choice) => choice.toLowerCase() === value.toLowerCase()) === false) {
    return `is one of ${listed(property.enum)}; found '${value.slice(0, 60)}'${didYouMean(value, property.enum)}`;
  }
  if (pattern !== undefined && !pattern[0].test(value)) return `is ${pattern[1]}; found '${value.slice(0, 60)}'`;
  return undefined;
}

/** Equal for uses of the same route, as in Camel, where equal URIs are one endpoint. */
export function keyOf({ kamelet, routeId, locals, noErrorHandler }: KameletUse, role: string): string {
  const values = [...locals].map(([key, { text }]) => [key, text]).toSorted();
  return JSON.stringify([kamelet.name, routeId, noErrorHandler, role, values]);
}
