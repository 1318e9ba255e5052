/** Reads `beans` of classes that this runtime implements, those of templates included, and reports all others (Camel: BeanFactoryDefinition). */
import type { BeanModel } from "../../../shared/flow-model.ts";
import { didYouMean, listed, misspelt } from "../../../shared/suggest.ts";
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
  toCamelCase,
} from "../tree.ts";
import { type BeanType, beanTypeNames, beanTypeOf } from "./bean-types.ts";
import type { Expansion } from "./expansion.ts";
import { isNothing, scalarAt, scalarText, withEntry } from "./nodes.ts";
import { flag, type Parts, text } from "./parts.ts";

const ways = ["factoryBean", "factoryMethod", "builderClass", "builderMethod", "initMethod", "destroyMethod"];

/** The keys of a text, such as a template or a schema that endpoints name as `ref:name`, beside those of every bean. */
const textBeanParts: Parts = {
  script: text("The text of a bean of type `java.lang.String`, such as a template that `mustache:ref:name` names."),
  scriptLanguage: text("`constant`, for a bean of type `java.lang.String`."),
  scriptPropertyPlaceholders: flag(
    "With `false`, `{{...}}` in the script stays as it is, which a mustache template needs.",
  ),
};

const textClass = "java.lang.String";

/** The accepted keys. */
export const beanParts: Parts = {
  name: text("The name by which options such as `aggregationStrategy` find the bean."),
  type: text(
    "The class, such as org.apache.camel.processor.aggregate.StringAggregationStrategy; the runtime has its own of these.",
  ),
  properties: {
    kind: "map",
    words: "What the bean is set up with: `cacheSize` of a repository, `delimiter` of joined texts.",
  },
  ...textBeanParts,
};
const attributes = [...ways, ...Object.keys(beanParts), "constructors"];
const ofScripts = Object.keys(textBeanParts);

/** Returns the valid beans. A bean of an unknown class is one error, whatever its properties are. */
export function readBeans(entry: Entry, report: Report): readonly BeanModel[] {
  if (isNothing(entry.value)) return [];
  if (entry.value.kind !== "seq") {
    report.error("wrong_type", `'beans' is a list; found ${describeNode(entry.value)}`, atKey(entry));
    return [];
  }
  return entry.value.items.map((item) => readBean(item, report)).filter((bean) => bean !== undefined);
}

/** Refuses two beans of one name; Camel would use the last one. */
export function checkNames(beans: readonly BeanModel[], report: Report): void {
  const taken = new Map<string, BeanModel>();
  for (const bean of beans) {
    const { name, at } = bean;
    const first = taken.get(name)?.at;
    if (first === undefined) taken.set(name, bean);
    else {
      const message = `the bean name '${name}' is already taken at line ${first.line}, column ${first.column}`;
      report.error("duplicate_bean", message, { at, pointer: "" });
    }
  }
}

function readBean(node: Node, report: Report): BeanModel | undefined {
  if (node.kind !== "map") {
    report.error("wrong_type", `a bean is a map with 'name' and 'type'; found ${describeNode(node)}`, node);
    return undefined;
  }
  const unknown = node.entries.find(({ key }) => !attributes.includes(toCamelCase(key)));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown.key, attributes);
    report.error(
      "unknown_option",
      `a bean has no '${unknown.key}'${hint}; it has: ${listed(attributes)}`,
      atKey(unknown),
    );
    return undefined;
  }
  const name = scalarText(entryOf(node, "name")?.value);
  if (name === undefined) {
    report.error("missing_option", "a bean needs 'name'", node);
    return undefined;
  }
  const written = entryOf(node, "type")?.value;
  const type = scalarText(written);
  if (type !== undefined && isTextBean(classOf(type).type)) return readTextBean(node, name, report);
  const script = node.entries.find(({ key, value }) => ofScripts.includes(toCamelCase(key)) && !isNothing(value));
  if (script !== undefined) {
    report.error(
      "not_yet",
      `bean '${name}' is made by a script, which runs on the JVM: put the code into a step, as 'script: {js: ...}'; a text is a bean of type java.lang.String in the scriptLanguage constant`,
      atKey(script),
    );
    return undefined;
  }
  if (type === undefined) {
    report.error("missing_option", `bean '${name}' needs 'type'`, written ?? node);
    return undefined;
  }
  return beanOf(node, name, written as Node, report);
}

function beanOf(node: MapNode, name: string, written: Node, report: Report): BeanModel | undefined {
  const { type, args } = classOf(scalarText(written) as string);
  const known = beanTypeOf(type);
  if (known === undefined) {
    const message = `bean '${name}': type '${type.slice(0, 120)}' runs on the JVM, and this runtime has none${hintFor(type)}; it has ${shortNames}`;
    report.error("not_yet", message, written);
    return undefined;
  }
  const way = node.entries.find(({ key }) => ways.includes(toCamelCase(key)));
  if (way !== undefined) {
    report.error("not_yet", `bean '${name}': '${way.key}' calls Java code: leave it out`, atKey(way));
    return undefined;
  }
  const properties = propertiesOf(entryOf(node, "properties")?.value);
  const constructors = !isNothing(entryOf(node, "constructors")?.value);
  const problem =
    problemOf(known, properties) ??
    ((args || constructors) && known.idle !== true ? "takes no constructor arguments here" : undefined);
  if (problem !== undefined) {
    report.error("unknown_option", `bean '${name}' of type '${type}' ${problem}`, node);
    return undefined;
  }
  return { name, type, properties, at: node.at };
}

const shortNames = listed([...new Set([...beanTypeNames, textClass].map(shortName))]);

function shortName(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}

/** Suggests a class of the same name in another package, or else of a name that was misspelt. */
function hintFor(type: string): string {
  const name = shortName(type);
  const names = beanTypeNames.map(shortName);
  const meant = names.includes(name) ? name : misspelt(name, names);
  return meant === undefined ? "" : ` (did you mean '${beanTypeNames[names.indexOf(meant)]}'?)`;
}

function problemOf({ properties, idle }: BeanType, given: Readonly<Record<string, unknown>>): string | undefined {
  if (idle === true) return undefined;
  const unknown = Object.keys(given).find((key) => !properties.includes(toCamelCase(key)));
  if (unknown !== undefined) {
    const choice = properties.length === 0 ? "it has none" : `it has: ${listed(properties)}`;
    return `has no property '${unknown}'${didYouMean(unknown, properties)}; ${choice}`;
  }
  return undefined;
}

/** `#class:com.acme.Foo('a', 1)`, `#type:com.acme.Foo`, `com.acme.Foo` */
function classOf(text: string): { readonly type: string; readonly args: boolean } {
  const [type = "", args = ""] = text.replace(/^#(?:class|type):/, "").split("(", 2);
  return { type: type.trim(), args: args.replace(/\)\s*$/, "").trim() !== "" };
}

/** Returns nested maps; `a.b` is `b` inside `a`. */
function propertiesOf(node: Node | undefined): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = Object.create(null);
  if (node?.kind !== "map") return result;
  for (const { key, value } of node.entries) {
    const path = key.split(".");
    const last = path.pop() as string;
    let at = result;
    for (const part of path) {
      const inner = at[part];
      const next: Record<string, unknown> = isRecord(inner) ? inner : Object.create(null);
      at[part] = next;
      at = next;
    }
    const before = at[last];
    const plain = plainValue(value);
    at[last] = isRecord(before) && isRecord(plain) ? Object.assign(before, plain) : plain;
  }
  return result;
}

function plainValue(node: Node): unknown {
  if (node.kind === "scalar") return node.text;
  return node.kind === "seq" ? node.items.map(plainValue) : propertiesOf(node);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextBean(type: string): boolean {
  return type === textClass || type === "String";
}

/** Reads a bean of type `java.lang.String`, which Camel makes of a script in the language `constant`; reports one that is not made of a constant text. */
function readTextBean(node: MapNode, name: string, report: Report): BeanModel | undefined {
  const script = entryOf(node, "script");
  const language = entryOf(node, "scriptLanguage");
  const known = new Set(["name", "type", ...Object.keys(textBeanParts)]);
  const kept = entryOf(node, "scriptPropertyPlaceholders");
  if (kept !== undefined && !/^(?:true|false)?$/i.test(scalarText(kept.value) ?? "")) {
    report.error("wrong_type", `'scriptPropertyPlaceholders' is true or false`, kept.value);
  }
  const other = node.entries.find(({ key, value }) => !known.has(toCamelCase(key)) && !isNothing(value));
  if (script?.value.kind === "scalar" && scalarText(language?.value) === "constant" && other === undefined) {
    return { name, type: textClass, properties: {}, text: script.value.text ?? "", at: node.at };
  }
  const message = `bean '${name}' of type '${textClass}' is a text: write 'scriptLanguage: constant' and 'script: |' with the text`;
  report.error("wrong_type", message, other === undefined ? node : atKey(other));
  return undefined;
}

/** Each instance of a template has beans of its own, and placeholders refer to them by name (Camel: RouteTemplateContext). Returns the template's parameters with the names of its beans; adds the beans to `expansion.beans`. */
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
