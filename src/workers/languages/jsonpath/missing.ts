/**
 * Where a path fails because it leads nowhere (Jayway: PropertyPathToken, ArrayPathToken, PredicatePathToken). Its names
 * and indexes up to the first part that may lead to several values have to be there; behind that, what is missing is left out.
 */
import { asText, isPlainObject, javaType } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { JsonP3 } from "./whole-numbers.ts";

type JSONPathQuery = InstanceType<JsonP3["jsonpath"]["JSONPathQuery"]>;

/** A name, an index, or what the first other part of the path needs. */
type Part =
  | { readonly kind: "name"; readonly name: string; readonly text: string }
  | { readonly kind: "index"; readonly index: number; readonly text: string }
  | { readonly kind: "names" | "array" | "filter"; readonly text: string };

/** Throws for a document in which the beginning of the path leads nowhere. */
export type Lead = (root: unknown) => void;

export function leadOf(library: JsonP3, query: JSONPathQuery): Lead {
  const parts = partsOf(library, query);
  return (root) => {
    let value = root;
    let path = "$";
    for (const [at, part] of parts.entries()) {
      requireContainer(part, value, path);
      path += part.text;
      if (part.kind === "name") {
        const object = value as Readonly<Record<string, unknown>>;
        if (Object.hasOwn(object, part.name)) value = object[part.name];
        else if (at === query.segments.length - 1) return;
        else throw notFound(`Missing property in path ${path}`);
      } else if (part.kind === "index") {
        value = (value as readonly unknown[]).at(part.index);
        if (value === undefined) return;
      }
    }
  };
}

function partsOf({ jsonpath }: JsonP3, { segments }: JSONPathQuery): readonly Part[] {
  const { NameSelector, IndexSelector, SliceSelector, FilterSelector } = jsonpath.selectors;
  const parts: Part[] = [];
  for (const segment of segments) {
    if (segment.toString({ form: "canonical" }).startsWith("..")) break;
    const { selectors } = segment;
    const text = `[${selectors.map((selector) => selector.toString({ form: "canonical" })).join()}]`;
    const [first] = selectors;
    if (selectors.length === 1 && first instanceof NameSelector) parts.push({ kind: "name", name: first.name, text });
    else if (selectors.length === 1 && first instanceof IndexSelector)
      parts.push({ kind: "index", index: first.index, text });
    else {
      if (selectors.every((one) => one instanceof NameSelector)) parts.push({ kind: "names", text });
      else if (selectors.every((one) => one instanceof IndexSelector || one instanceof SliceSelector))
        parts.push({ kind: "array", text });
      else if (first instanceof FilterSelector) parts.push({ kind: "filter", text: "[?]" });
      break;
    }
  }
  return parts;
}

/** Throws unless the value may have the part. */
function requireContainer({ kind, text }: Part, value: unknown, path: string): void {
  if (kind === "name" || kind === "names") {
    if (isPlainObject(value)) return;
    const found = value === null ? "null" : javaType(value);
    throw notFound(`Expected to find an object with property ${text} in path ${path} but found '${found}'`);
  }
  if (Array.isArray(value) || (kind === "filter" && isPlainObject(value))) return;
  const shown = value === null ? "null" : isPlainObject(value) ? "{...}" : asText(value).slice(0, 200);
  const context = `Current context is: ${shown}`;
  if (kind === "filter")
    throw new FlowException(
      "com.jayway.jsonpath.InvalidPathException",
      `Filter: ${text} can not be applied to primitives. ${context}`,
    );
  if (value === null) throw notFound(`The path ${path} is null`);
  throw notFound(`Filter: ${text} can only be applied to arrays. ${context}`);
}

/** Throws unless a filter may stand behind a path of names and indexes. `found`: what the path has led to. */
export function requireFilterable(found: readonly unknown[], path: string): void {
  if (found.length === 0) throw notFound(`Missing property in path ${path}`);
  requireContainer({ kind: "filter", text: "[?]" }, found[0], path);
}

export function notFound(message: string): FlowException {
  return new FlowException("com.jayway.jsonpath.PathNotFoundException", message);
}
