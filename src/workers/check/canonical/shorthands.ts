/**
 * Finds what a flow writes in a short form: an expression without `expression:`, a language, a step, an element or a
 * data format as a text. Camel 4.23 deprecates these (camel-yaml-dsl: camelYamlDsl-canonical.json of 4.22 has the forms
 * that stay).
 */
import { z } from "zod";
import { camelLanguages } from "../camel-names.ts";
import { type Schema, shapeOf, slotOf, unwrap } from "../check-slots.ts";
import type { Definitions } from "../context.ts";
import { stepAliases } from "../steps.ts";
import { toCamelCase } from "../tree.ts";
import type { SourceMap, SourceNode, SourcePair } from "./source-tree.ts";

/** How a pair becomes canonical: its value moves below the key `inside`, and the pair below the key `around`. */
export interface Shorthand {
  inside?: string;
  around?: string;
}

/** Keys below which the names are the user's. */
const data = new Set(["parameters", "properties", "constructors", "definition", "headers", "beans", "metadata"]);
/** Predicates that hold `expression:` themselves, where other expressions of options hold the language. */
const wrapping = new Set(["onWhen"]);
const restVerbs = new Set(["get", "post", "put", "patch", "delete", "head"]);

export function findShorthands(root: SourceNode, definitions: Definitions): ReadonlyMap<SourcePair, Shorthand> {
  const finder = new Finder(definitions);
  finder.root(root);
  return finder.found;
}

class Finder {
  readonly found = new Map<SourcePair, Shorthand>();
  readonly #definitions: Definitions;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Walks a document, or a fragment: a step, or a list of steps. */
  root(node: SourceNode): void {
    const items = node.kind === "seq" ? node.items : [node];
    for (const item of items) {
      const [first] = item.kind === "map" ? item.pairs : [];
      if (first !== undefined && this.#definitions.catalog.steps.has(toCamelCase(first.key))) this.#step(first);
      else this.any(item);
    }
  }

  /** Walks a part of a document outside of steps. */
  any(node: SourceNode): void {
    if (node.kind === "seq") for (const item of node.items) this.any(item);
    if (node.kind !== "map") return;
    for (const pair of node.pairs) {
      const name = toCamelCase(pair.key);
      const element = this.#definitions.catalog.elements.get(name);
      if (data.has(name)) continue;
      if (name === "steps") this.#steps(pair.value);
      else if (element !== undefined) this.#options(pair, element);
      else if (restVerbs.has(name) && pair.value.kind === "seq") this.#verbs(pair.value.items);
      else this.any(pair.value);
    }
  }

  #verbs(items: readonly SourceNode[]): void {
    for (const item of items) {
      if (item.kind !== "map") continue;
      for (const pair of item.pairs) if (/^to(?:D)?$/.test(pair.key)) this.#text(pair, "uri");
      this.any(item);
    }
  }

  #steps(node: SourceNode): void {
    if (node.kind !== "seq") return;
    for (const item of node.items) if (item.kind === "map") for (const pair of item.pairs) this.#step(pair);
  }

  #step(pair: SourcePair): void {
    const { catalog } = this.#definitions;
    const name = stepAliases.get(pair.key) ?? toCamelCase(pair.key);
    const definition = catalog.steps.get(name) ?? catalog.elements.get(name);
    if (definition === undefined) this.any(pair.value);
    else this.#options(pair, definition);
  }

  #options(pair: SourcePair, definition: Parameters<Definitions["schema"]>[0] & { readonly short?: string }): void {
    const schema = this.#definitions.schema(definition);
    const { short } = definition;
    if (short !== undefined) this.#text(pair, short === shapeOf(schema).endpoint ? "uri" : short);
    if (pair.value.kind === "map") this.#map(pair.value, schema);
  }

  #map(map: SourceMap, schema: z.ZodObject): void {
    const { properties, inline, format } = shapeOf(schema);
    for (const pair of map.pairs) {
      const name = toCamelCase(pair.key);
      const property = properties.get(name);
      if (inline !== undefined && name === "expression") this.#languages(pair.value);
      else if (property !== undefined) this.#value(property, pair.value, name);
      else if (format !== undefined && this.#isFormat(name)) this.#format(pair, name);
      else if (inline !== undefined && this.#isLanguage(name)) {
        this.#note(pair, { around: "expression" });
        this.#language(pair);
      }
    }
  }

  #value(schema: Schema, node: SourceNode, name: string): void {
    const inner = unwrap(schema);
    const kind = (slotOf(schema) ?? slotOf(inner))?.kind;
    if (kind === "steps") this.#steps(node);
    else if (kind === "expression" || kind === "predicate") this.#expression(node, wrapping.has(name));
    else if (kind === "dataFormat" && node.kind === "map")
      for (const pair of node.pairs) this.#format(pair, toCamelCase(pair.key));
    else if (kind !== undefined) return;
    else if (inner instanceof z.ZodArray && node.kind === "seq")
      for (const item of node.items) this.#value(inner.element, item, name);
    else if (inner instanceof z.ZodObject && node.kind === "map") this.#map(node, inner);
    else if (inner instanceof z.ZodRecord && node.kind === "map")
      for (const pair of node.pairs) this.#value(inner.valueType, pair.value, name);
    else if (inner instanceof z.ZodUnion) for (const option of inner.options) this.#value(option, node, name);
  }

  #expression(node: SourceNode, wraps: boolean): void {
    if (node.kind !== "map") return;
    for (const pair of node.pairs) {
      if (pair.key === "expression") this.#languages(pair.value);
      else if (this.#isLanguage(toCamelCase(pair.key))) {
        if (wraps) this.#note(pair, { around: "expression" });
        this.#language(pair);
      }
    }
  }

  #languages(node: SourceNode): void {
    if (node.kind === "map") for (const pair of node.pairs) this.#language(pair);
  }

  #language(pair: SourcePair): void {
    const language = this.#definitions.catalog.languages.get(toCamelCase(pair.key));
    this.#text(pair, language?.text ?? "expression");
  }

  #format(pair: SourcePair, name: string): void {
    const short = this.#definitions.catalog.formats.get(name)?.short;
    if (short !== undefined) this.#text(pair, short);
  }

  /** Notes a value that is a text, where a map with this key is canonical. */
  #text(pair: SourcePair, key: string): void {
    if (pair.value.kind === "scalar" && !pair.value.empty) this.#note(pair, { inside: key });
  }

  #note(pair: SourcePair, shorthand: Shorthand): void {
    this.found.set(pair, { ...this.found.get(pair), ...shorthand });
  }

  #isLanguage(name: string): boolean {
    return this.#definitions.catalog.languages.has(name) || camelLanguages.includes(name);
  }

  #isFormat(name: string): boolean {
    return this.#definitions.catalog.formats.has(name);
  }
}
