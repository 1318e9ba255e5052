/**
 * Beans of a template: each instance has its own, and placeholders refer to them by name (Camel: RouteTemplateContext).
 */
import type { BeanModel } from "../../../shared/flow-model.ts";
import type { Locals } from "../placeholders.ts";
import { entryOf, type MapNode, type ScalarNode } from "../tree.ts";
import { readBeans } from "./beans.ts";
import type { Expansion } from "./expansion.ts";
import { scalarAt, scalarText, withEntry } from "./nodes.ts";

/** Returns the template's parameters with the names of its beans; adds the beans to `expansion.beans`. */
export function templateBeans(template: MapNode, locals: Locals, instance: string, expansion: Expansion): Locals {
  const entry = entryOf(template, "beans");
  if (entry?.value.kind !== "seq") return locals;
  const all = new Map<string, ScalarNode>(locals);
  const renamed = entry.value.items.map((item) => {
    const name = item.kind === "map" ? entryOf(item, "name")?.value : undefined;
    if (item.kind !== "map" || name?.kind !== "scalar" || scalarText(name) === undefined) return item;
    const own = scalarAt(`${scalarText(name)}-${instance}`, name);
    all.set(scalarText(name) as string, own);
    return withEntry(item, "name", own);
  });
  const filled = expansion.instance({ ...entry.value, items: renamed }, all, entry.value);
  if (filled !== undefined) {
    const beans: readonly BeanModel[] = readBeans({ ...entry, value: filled }, expansion.report);
    expansion.beans.push(...beans);
  }
  return all;
}
