/** Values that a JSON Schema allows, and values that it does not. */
import type { InstanceType, Schema } from "@cfworker/json-schema";
import fc from "fast-check";

/** What the schema cannot say: values of a property by its name, so that not every request is refused for the same reason. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

type Resolve = (schema: Schema) => Schema;

const anything = fc.jsonValue({ maxDepth: 2 });

/** Of the JSON Schemas that the runtime's document has: other keywords are an error, not an invitation to guess. */
export function valuesOf(given: Schema, resolve: Resolve, hints: Hints = {}): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valuesOf(within(schema, one), resolve, hints)));
  if (schema.type === undefined) return anything;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => ofType(type, schema, resolve, hints)));
}

/** A choice that only says which of the properties there are, and which there are not. */
function within({ anyOf: _, oneOf: __, ...whole }: Schema, choice: Schema): Schema {
  if (whole.properties === undefined) return choice;
  const excluded = new Set((choice.not?.anyOf ?? []).flatMap(({ required = [] }) => required));
  const properties = Object.entries(whole.properties).filter(([name]) => !excluded.has(name));
  return {
    ...whole,
    properties: Object.fromEntries(properties),
    required: [...(whole.required ?? []), ...(choice.required ?? [])],
  };
}

function ofType(type: InstanceType, schema: Schema, resolve: Resolve, hints: Hints): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 2000 });
    case "number":
      // Whole numbers beyond 2^53 are read in a way of their own.
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(2 ** 53, -1e20));
    case "string":
      return textsOf(schema);
    case "array":
      return fc.array(itemsOf(schema, resolve, hints), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case "object":
      return objectsOf(schema, resolve, hints);
  }
}

function textsOf({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return matching(pattern);
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  if (format !== undefined) throw new Error(`no values for the format '${format}'`);
  return fc.string({ unit: "grapheme", minLength, maxLength });
}

/** fast-check makes no texts of lookaheads: texts of the rest of the pattern are sieved. */
function matching(pattern: string): fc.Arbitrary<string> {
  const whole = new RegExp(pattern, "u");
  let rest = pattern;
  for (let at = rest.search(/\(\?[=!]/); at >= 0; at = rest.search(/\(\?[=!]/)) {
    let end = at + 1;
    for (let depth = 1; depth > 0; end += 1) depth += rest[end] === "(" ? 1 : rest[end] === ")" ? -1 : 0;
    rest = rest.slice(0, at) + rest.slice(end);
  }
  return fc.stringMatching(new RegExp(rest, "u"), { size: "small" }).filter((text) => whole.test(text));
}

function itemsOf({ items }: Schema, resolve: Resolve, hints: Hints): fc.Arbitrary<unknown> {
  return typeof items === "object" && !Array.isArray(items) ? valuesOf(items, resolve, hints) : anything;
}

function objectsOf(schema: Schema, resolve: Resolve, hints: Hints): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [
      name,
      hints[name] ?? (typeof one === "object" ? valuesOf(one, resolve, hints) : anything),
    ]),
  );
  const record = fc.record(known, { requiredKeys: required, noNullPrototype: true });
  if (additionalProperties === false || additionalProperties === undefined) return record;
  const more = typeof additionalProperties === "object" ? valuesOf(additionalProperties, resolve, hints) : anything;
  return fc
    .tuple(
      record,
      fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), more, { maxKeys: 2, noNullPrototype: true }),
    )
    .map(([object, others]) => ({ ...others, ...(object as object) }));
}

/** A value in which something is missing, or of another kind, at the top or one level down. */
export function spoilt(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.nat(), anything, fc.constantFrom("whole", "missing", "other"))
    .map(([value, at, other, how]) => {
      if (typeof value !== "object" || value === null || how === "whole") return other;
      const entries = Object.entries(value);
      const place = at % Math.max(1, entries.length);
      if (how === "missing") return Object.fromEntries(entries.toSpliced(place, 1));
      return Object.fromEntries(entries.map(([name, one], index) => [name, index === place ? other : one]));
    });
}
