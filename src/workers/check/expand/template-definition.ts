/** Reads a `routeTemplate`: its parameters and its route. */

import { didYouMean, listed } from "../../../shared/suggest.ts";
import type { Report } from "../report.ts";
import {
  atKey,
  describeNode,
  type Entry,
  entryOf,
  type MapNode,
  type ScalarNode,
  toCamelCase,
  type Where,
} from "../tree.ts";
import { beanParts } from "./beans.ts";
import { scalarText } from "./nodes.ts";
import { flag, forPeople, list, type Parts, text } from "./parts.ts";

export interface Template {
  readonly id: string;
  readonly node: MapNode;
  readonly where: Where;
  readonly parameters: readonly Parameter[];
  uses: number;
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly standard: ScalarNode | undefined;
}

export const templateParts: Parts = {
  id: text("The name by which `templatedRoute` uses it."),
  ...forPeople,
  parameters: list("What a use may fill in: `{{name}}` stands for it in the route.", {
    name: text("The parameter's name."),
    defaultValue: text("Its value when a use gives none."),
    required: flag("Whether each use must give it; true unless there is a default."),
    description: text("What the parameter is for, to people."),
  }),
  beans: list("Beans of which each use has its own; `{{name}}` names it in the route.", beanParts),
  from: { kind: "map", words: "Where messages come from, with `steps`: a route without more." },
  route: { kind: "map", words: "The whole route, in place of `from`." },
};
const templateKeys = Object.keys(templateParts);

export function readTemplate(entry: Entry, report: Report): Template | undefined {
  const node = entry.value;
  const where = atKey(entry);
  if (node.kind !== "map") {
    report.error("wrong_type", `'routeTemplate' is a map with 'id' and 'route'; found ${describeNode(node)}`, where);
    return undefined;
  }
  if (hasUnknown(node, "routeTemplate", templateKeys, report)) return undefined;
  const id = scalarText(entryOf(node, "id")?.value);
  const shapes = ["from", "route"].filter((key) => entryOf(node, key) !== undefined);
  if (id === undefined || shapes.length !== 1) {
    const message =
      id === undefined ? "'routeTemplate' needs 'id'" : "'routeTemplate' needs 'route' or 'from', one of them";
    report.error("missing_option", message, where);
    return undefined;
  }
  return { id, node, where, parameters: parametersOf(node, report), uses: 0 };
}

/** A parameter is required unless it has `required: false` or a default (Camel: RouteTemplateParameterDefinition). */
function parametersOf(node: MapNode, report: Report): readonly Parameter[] {
  return namedItems(node, "parameters", Object.keys(templateParts["parameters"]?.inner ?? {}), report).map(
    ({ name, item }) => {
      const standard = entryOf(item, "defaultValue")?.value;
      const required = scalarText(entryOf(item, "required")?.value);
      const hasDefault = standard?.kind === "scalar" && standard.text !== null;
      return { name, required: required !== "false" && !hasDefault, standard: hasDefault ? standard : undefined };
    },
  );
}

/** Returns the maps of a list. Each must have a `name`, and only these keys. */
export function namedItems(
  node: MapNode,
  key: string,
  known: readonly string[],
  report: Report,
): readonly { name: string; item: MapNode }[] {
  const list = entryOf(node, key)?.value;
  if (list === undefined || (list.kind === "scalar" && list.text === null)) return [];
  if (list.kind !== "seq") {
    report.error("wrong_type", `'${key}' is a list of maps with 'name'; found ${describeNode(list)}`, list);
    return [];
  }
  return list.items.flatMap((item) => {
    const name = item.kind === "map" ? scalarText(entryOf(item, "name")?.value) : undefined;
    if (item.kind === "map" && name !== undefined) {
      hasUnknown(item, key, known, report);
      return [{ name, item }];
    }
    report.error("missing_option", `an entry of '${key}' is a map with 'name'; found ${describeNode(item)}`, item);
    return [];
  });
}

/** Returns true after an unknown key, which is reported. */
export function hasUnknown(node: MapNode, name: string, known: readonly string[], report: Report): boolean {
  const unknown = node.entries.filter(({ key }) => !known.includes(toCamelCase(key)));
  for (const entry of unknown) {
    const hint = didYouMean(entry.key, known);
    report.error("unknown_option", `'${name}' has no '${entry.key}'${hint}; it has: ${listed(known)}`, atKey(entry));
  }
  return unknown.length > 0;
}
