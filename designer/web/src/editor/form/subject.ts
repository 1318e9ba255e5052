/** What the form is about: the definition of the selected item, with what the catalogue says of it. */
import type { OptionSchema, OptionsSchema } from "../../model/catalog-view.ts";
import { type Catalog, entryOf, expressionOf, formatsOf, type Path } from "../../model/index.ts";
import type { Item } from "../session/items.ts";
import { endpointTitle, schemeOf, titleOf } from "../titles.ts";

export interface Subject {
  readonly title: string;
  readonly docs: string;
  /** Where the options are written. */
  readonly path: Path;
  readonly schema: OptionsSchema;
  /** Whether an expression of its own belongs to it, in `expression` or under the name of a language. */
  readonly hasExpression: boolean;
  /** The data formats that it can be written with. */
  readonly formats: readonly string[];
  /** The options of the address that it has, by the names of `parameters`. */
  readonly endpoint?: { readonly name: string; readonly docs: string; readonly schema: OptionsSchema } | undefined;
  /** Whether the catalogue knows it. */
  readonly isKnown: boolean;
}

/** `options`: what is written of it, for the component of its address. */
export function subjectOf(item: Item, options: Readonly<Record<string, unknown>>, catalog: Catalog): Subject {
  const { schema, docs, isKnown } = definitionOf(item, catalog);
  const uri = typeof options["uri"] === "string" ? options["uri"] : undefined;
  const entry = item.kind === "step" ? entryOf(catalog, item.name) : undefined;
  return {
    title: item.kind === "trigger" && uri !== undefined ? endpointTitle(uri) : titleOf(item.name),
    docs,
    path: optionsPath(item),
    schema,
    hasExpression: "expression" in (schema.properties ?? {}) && schema.properties?.["simple"] !== undefined,
    formats: entry === undefined ? [] : formatsOf(entry, catalog),
    endpoint: uri === undefined ? undefined : endpointOf(uri, catalog),
    isKnown,
  };
}

/** A step that is written as its name alone has its options below that name. */
export function optionsPath({ kind, name, path, itemPath }: Item): Path {
  return kind === "step" && path.length === itemPath.length ? [...path, name] : path;
}

interface Definition {
  readonly schema: OptionsSchema;
  readonly docs: string;
  readonly isKnown: boolean;
}

function definitionOf({ kind, name, path }: Item, catalog: Catalog): Definition {
  const element = (one: string) => catalog.elements.find((entry) => entry.name === one);
  if (kind === "trigger") return ofOption(element("route")?.schema, "from");
  if (kind === "operation") return ofOption(element("rest")?.schema, name);
  if (kind === "branch") return ofOption(holderOf(path, name, catalog), name);
  const entry = kind === "step" ? entryOf(catalog, name) : element(name);
  return { schema: entry?.schema ?? {}, docs: entry?.docs ?? "", isKnown: entry !== undefined };
}

/** The step that a branch belongs to stands before it in its path. */
function holderOf(path: Path, branch: string, catalog: Catalog): OptionsSchema | undefined {
  const at = path.lastIndexOf(branch);
  return entryOf(catalog, String(path[at - 1]))?.schema;
}

function ofOption(schema: OptionsSchema | undefined, name: string): Definition {
  const option: OptionSchema | undefined = schema?.properties?.[name];
  const nested = option?.items ?? option;
  return { schema: nested ?? {}, docs: option?.description ?? "", isKnown: nested !== undefined };
}

function endpointOf(uri: string, { components, kamelets }: Catalog): Subject["endpoint"] {
  const kamelet = /^kamelet:([^?/]+)/.exec(uri)?.[1];
  if (kamelet !== undefined) return kamelets.find(({ name }) => name === kamelet);
  const component = components.find(({ name }) => name === schemeOf(uri));
  if (component === undefined) return undefined;
  // The first option is what stands in the address itself.
  const [, ...rest] = Object.entries(component.schema.properties ?? {});
  const { name, docs } = component;
  return { name, docs, schema: { properties: Object.fromEntries(rest) } };
}

/** The keys of a definition that its expression is written under. */
export function languageOptions(options: Readonly<Record<string, unknown>>): readonly string[] {
  const found = expressionOf(options)?.path[0];
  return ["expression", ...(found === undefined ? [] : [String(found)])];
}
