/**
 * Expands the elements of Camel's YAML DSL that generate routes: rest services, route templates, kamelets. Takes and
 * returns a document. New nodes have the place of the text that they were made from, so that diagnostics point there.
 */
import type { BeanModel } from "../../../shared/flow-model.ts";
import type { Filled } from "../placeholders.ts";
import type { Report } from "../report.ts";
import { type Entry, type Node, toCamelCase } from "../tree.ts";
import { checkNames, readBeans } from "./beans.ts";
import { rewriteItems } from "./documents.ts";
import { Expansion } from "./expansion.ts";
import { kameletDocuments, readKamelets } from "./kamelet-catalog.ts";
import { expandKamelets } from "./kamelets.ts";
import { expandRest } from "./rest.ts";
import { readRestConfiguration } from "./rest-configuration.ts";
import { expandRestEndpoint } from "./rest-endpoint.ts";
import { expandTemplates, readTemplates, warnOfUnused } from "./templates.ts";

export interface Expanded extends Filled {
  readonly beans: readonly BeanModel[];
}

const expandable = ["beans", "rest", "restConfiguration", "routeTemplate", "templatedRoute"] as const;
type Expandable = (typeof expandable)[number];

export function expand(filled: Filled, flowId: string, report: Report): Expanded {
  const expansion = new Expansion(flowId, report, filled.fill);
  const root = rewriteItems(filled.root, report, (items) => expandItems(items, expansion));
  checkNames(expansion.beans, report);
  return { ...filled, root, beans: expansion.beans };
}

function expandItems(items: readonly Node[], expansion: Expansion): Node[] {
  const { report, beans } = expansion;
  const found = new Map<Expandable, Entry[]>(expandable.map((name) => [name, []]));
  const documents = kameletDocuments(items);
  const kept = items
    .filter((item) => !documents.has(item))
    .map((item) => withoutExpandable(item, found))
    .filter((item) => item !== undefined);
  expansion.noteIds(kept);
  for (const entry of found.get("beans") ?? []) beans.push(...readBeans(entry, report));
  const templates = readTemplates(found.get("routeTemplate") ?? [], report);
  const configuration = readRestConfiguration(found.get("restConfiguration") ?? [], report);
  const made = [
    ...expandRest(found.get("rest") ?? [], configuration, expansion),
    ...expandTemplates(templates, found.get("templatedRoute") ?? [], expansion),
  ];
  const routes = [...kept, ...made].map((item) => expandRestEndpoint(item, configuration, report));
  const expanded = expandKamelets(routes, readKamelets(documents, templates, report), expansion);
  warnOfUnused(templates, report);
  return expanded;
}

/** Returns the item without elements to expand, which are added to `found`; undefined for an empty rest. */
function withoutExpandable(item: Node, found: ReadonlyMap<Expandable, Entry[]>): Node | undefined {
  if (item.kind !== "map") return item;
  const kept = item.entries.filter((entry) => {
    const list = found.get(toCamelCase(entry.key) as Expandable);
    list?.push(entry);
    return list === undefined;
  });
  if (kept.length === item.entries.length) return item;
  return kept.length === 0 ? undefined : { ...item, entries: kept };
}
