/**
 * Expands `routeTemplate` and `templatedRoute`: each use becomes a separate route (Camel: RouteTemplateDefinition,
 * TemplatedRouteDefinition).
 */

import { didYouMean, listed } from "../../../shared/suggest.ts";
import type { Locals } from "../placeholders.ts";
import type { Report } from "../report.ts";
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
import { beanParts, templateBeans } from "./beans.ts";
import { type Expansion, routeItem } from "./expansion.ts";
import { scalarAt, scalarText, withEntry, withoutEntries } from "./nodes.ts";
import { forPeople, list, type Parts, text } from "./parts.ts";
import { hasUnknown, namedItems, type Parameter, readTemplate, type Template } from "./template-definition.ts";

export const useParts: Parts = {
  routeTemplateRef: text("The id of the `routeTemplate` that the route is made of."),
  routeId: text("The id of the route; made of the template's without it."),
  prefixId: text("What stands before the ids of its steps, so that several uses of a template have ids of their own."),
  group: text("The group of the route, which `${routeGroup}` shows."),
  parameters: list("Values of the template's parameters.", {
    name: text("The parameter's name."),
    value: text("What stands in the route for `{{name}}`."),
  }),
  beans: list("Beans of this route alone; `{{name}}` names one in the template.", beanParts),
  id: text("Names the use, for people."),
  ...forPeople,
};
const useKeys = Object.keys(useParts);

/** Returns the templates by their ids. */
export function readTemplates(definitions: readonly Entry[], report: Report): ReadonlyMap<string, Template> {
  const templates = new Map<string, Template>();
  for (const entry of definitions) {
    const template = readTemplate(entry, report);
    if (template === undefined) continue;
    if (templates.has(template.id)) {
      report.error(
        "duplicate_template",
        `the route template '${template.id}' is already there: ids are unique`,
        template.where,
      );
    } else templates.set(template.id, template);
  }
  return templates;
}

/** A template may follow its uses. */
export function expandTemplates(
  templates: ReadonlyMap<string, Template>,
  uses: readonly Entry[],
  expansion: Expansion,
): readonly MapNode[] {
  return uses.map((entry) => instantiate(entry, templates, expansion)).filter((route) => route !== undefined);
}

/** Call it when kamelets are expanded, too: they use templates. */
export function warnOfUnused(templates: ReadonlyMap<string, Template>, report: Report): void {
  for (const { id, uses, where } of templates.values()) {
    if (uses > 0) continue;
    const message = `no 'templatedRoute' and no 'kamelet:${id}' uses the route template '${id}': it makes no route, and is not checked`;
    report.warning("unused_template", message, where);
  }
}

function instantiate(
  entry: Entry,
  templates: ReadonlyMap<string, Template>,
  expansion: Expansion,
): MapNode | undefined {
  const { report } = expansion;
  const use = entry.value;
  const where = atKey(entry);
  if (use.kind !== "map") {
    report.error("wrong_type", `'templatedRoute' is a map with 'routeTemplateRef'; found ${describeNode(use)}`, where);
    return undefined;
  }
  if (hasUnknown(use, "templatedRoute", useKeys, report)) return undefined;
  const reference = entryOf(use, "routeTemplateRef")?.value;
  const name = scalarText(reference);
  const template = templates.get(name ?? "");
  if (template === undefined) {
    const message =
      name === undefined
        ? "'templatedRoute' needs 'routeTemplateRef'"
        : `no route template '${name}' in this flow${didYouMean(name, templates.keys())}`;
    report.error(name === undefined ? "missing_option" : "unknown_template", message, reference ?? where);
    return undefined;
  }
  template.uses += 1;
  const locals = localsOf(use, template, where, report);
  return locals === undefined ? undefined : routeOf(use, template, locals, where, expansion);
}

function localsOf(use: MapNode, template: Template, where: Where, report: Report): Locals | undefined {
  const locals = new Map<string, ScalarNode>();
  const declared = template.parameters.map(({ name }) => name);
  for (const { name, item } of namedItems(use, "parameters", ["name", "value"], report)) {
    const value = entryOf(item, "value")?.value;
    if (value?.kind === "scalar" && value.text !== null) locals.set(name, value);
    if (declared.includes(name)) continue;
    const message = `the route template '${template.id}' declares no parameter '${name}'${didYouMean(name, declared)}`;
    report.warning("no_effect", message, entryOf(item, "name")?.value ?? item);
  }
  const missing = template.parameters
    .filter(({ name, required }) => required && !locals.has(name))
    .map(({ name }) => `'${name}'`);
  if (missing.length > 0) {
    report.error(
      "missing_option",
      `the route template '${template.id}' needs the parameters ${listed(missing)}`,
      where,
    );
    return undefined;
  }
  return locals;
}

function routeOf(
  use: MapNode,
  template: Template,
  given: Locals,
  where: Where,
  expansion: Expansion,
): MapNode | undefined {
  const { report } = expansion;
  const written = entryOf(template.node, "route")?.value;
  const body = written ?? withoutEntries(template.node, ["id", "parameters", "beans", "description", "note"]);
  const prefix = scalarText(entryOf(use, "prefixId")?.value);
  if (template.uses > 1 && prefix === undefined && hasStepIds(body)) {
    const message = `steps of the route template '${template.id}' have ids, which are unique in a flow: give this use a 'prefixId'`;
    report.error("duplicate_step_id", message, where);
    return undefined;
  }
  const explicit = entryOf(use, "routeId")?.value;
  const inside = body.kind === "map" ? scalarText(entryOf(body, "id")?.value) : undefined;
  const made =
    scalarText(explicit) === undefined ? expansion.routeId(inside ?? expansion.flowId, inside ? "" : template.id) : "";
  const instance = scalarText(explicit) ?? made;
  const locals = withDefaults(template.parameters, given, where, expansion);
  if (locals === undefined) return undefined;
  const own = templateBeans(use, templateBeans(template.node, locals, instance, expansion), instance, expansion);
  const filled = expansion.instance(body, own, where);
  if (filled?.kind !== "map") {
    if (body.kind !== "map")
      report.error("wrong_type", `'route' is a map with 'from'; found ${describeNode(body)}`, body);
    return undefined;
  }
  let route = withEntry(filled, "id", explicit?.kind === "scalar" && made === "" ? explicit : scalarAt(made, where));
  if (prefix !== undefined) {
    const inner = scalarText(entryOf(route, "nodePrefixId")?.value) ?? "";
    route = withEntry(route, "nodePrefixId", scalarAt(`${prefix}${inner}`, where));
  }
  const group = entryOf(use, "group");
  if (group !== undefined) route = withEntry(route, "group", group.value);
  return routeItem({ ...route, at: where.at, pointer: where.pointer });
}

/** Adds the defaults, which may name parameters before them. Returns undefined after a problem, which is reported. */
export function withDefaults(
  parameters: readonly Parameter[],
  given: Locals,
  where: Where,
  expansion: Expansion,
): Locals | undefined {
  const locals = new Map(given);
  const before = expansion.report.errors;
  for (const { name, standard } of parameters) {
    if (locals.has(name) || standard === undefined) continue;
    const value = expansion.instance(standard, locals, where);
    if (value?.kind === "scalar") locals.set(name, value);
  }
  return expansion.report.errors > before ? undefined : locals;
}

function hasStepIds(node: Node): boolean {
  if (node.kind === "scalar") return false;
  if (node.kind === "seq")
    return node.items.some((item) => item.kind === "map" && item.entries.some(({ value }) => idIn(value)));
  return node.entries.some(({ key, value }) => key !== "parameters" && hasStepIds(value));
}

function idIn(step: Node): boolean {
  if (step.kind !== "map") return false;
  return scalarText(entryOf(step, "id")?.value) !== undefined || hasStepIds(step);
}
