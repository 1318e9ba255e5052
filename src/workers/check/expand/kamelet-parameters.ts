/** The parameters of a use against the properties of its kamelet. */
import type { KameletProperty } from "../../kamelets/definition.ts";
import type { Locals } from "../placeholders.ts";
import type { Report } from "../report.ts";
import { didYouMean, listed } from "../suggest.ts";
import { type ScalarNode, toCamelCase, type Where } from "../tree.ts";
import type { Kamelet } from "./kamelet-catalog.ts";
import { scalarAt } from "./nodes.ts";

export type Given = Map<string, { readonly key: Where; readonly value: ScalarNode }>;

/** What the endpoint takes itself, and why it does not. */
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

/** The properties with their values or defaults; all problems of one use are told. */
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
    } else {
      const hint = didYouMean(key, names);
      const choice = names.length === 0 ? "it has none" : `its properties: ${listed(names)}`;
      problem("unknown_option", `kamelet '${name}' has no property '${key}'${hint}; ${choice}`, at);
      meant.add(/'([^']*)'\?\)$/.exec(hint)?.[1] ?? "");
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
