/** Checks the schema of a mapping's target, or of a flow, before any message is validated against it. */
import { defaultLimits } from "../../shared/limits.ts";
import type { JsonSchema } from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { Budget } from "../languages/budget.ts";
import { LinearRegExp } from "../languages/linear-reg-exp.ts";
import { compileSchema } from "./json-schema.ts";
import { resolved } from "./schema-lists.ts";

/** Returns one text for each fault, with its place in the document. `place`: where the schema is, as a JSON pointer. */
export function checkSchema(schema: JsonSchema, place = "/target/schema"): readonly string[] {
  const check = { root: schema, problems: [], seen: new Set<unknown>() };
  visit(schema, place, check);
  if (check.problems.length > 0) return check.problems;
  try {
    compileSchema(structuredClone(schema))(null, new Budget(defaultLimits, "JSON Schema"));
  } catch (error) {
    const why =
      error instanceof RangeError ? "its references go round in a circle" : exceptionMessage(error).split("\n")[0];
    return [place === "" ? String(why) : `${place}: ${why}`];
  }
  return [];
}

interface Check {
  readonly root: JsonSchema;
  readonly problems: string[];
  readonly seen: Set<unknown>;
}

function visit(node: unknown, place: string, check: Check): void {
  if (typeof node !== "object" || node === null || Array.isArray(node) || check.seen.has(node)) return;
  check.seen.add(node);
  const { problems } = check;
  const before = problems.length;
  for (const [keyword, value] of Object.entries(node)) {
    const at = `${place}/${keyword}`;
    const shape = misshapen(keyword, value);
    if (shape !== undefined) problems.push(`${at}: it is ${shape}`);
    else if (keyword === "pattern") checkPattern(String(value), at, problems);
    else if (keyword === "patternProperties") for (const name of Object.keys(value)) checkPattern(name, at, problems);
    else if (keyword === "$dynamicRef") problems.push(`${at}: $dynamicRef is not known here: use $ref`);
    else if (keyword === "$ref" || keyword === "$recursiveRef") checkReference(String(value), at, check);
  }
  if (problems.length > before) return;
  for (const [inner, at] of innerSchemas(node, place)) visit(inner, at, check);
}

function checkPattern(pattern: string, place: string, problems: string[]): void {
  try {
    new LinearRegExp(pattern);
  } catch (error) {
    problems.push(`${place}: ${exceptionMessage(error)}`);
  }
}

function checkReference(reference: string, place: string, check: Check): void {
  const { root, problems } = check;
  if (!reference.startsWith("#")) {
    problems.push(
      `${place}: '${reference}' is not in the schema: nothing is fetched, so copy it into $defs and refer to '#/$defs/...'`,
    );
  } else if (/^#(?:\/|$)/.test(reference)) {
    const found = resolved(root, reference);
    if (found === undefined) problems.push(`${place}: '${reference}' does not exist in the schema`);
    else if (typeof found === "boolean" || isPlainObject(found)) visit(found, place, check);
    else problems.push(`${place}: '${reference}' is no schema, which is an object, true or false`);
  }
}

// The type of each keyword's value in JSON Schema. The validator does not check it.
const schema = [
  ...["additionalItems", "additionalProperties", "contains", "else", "if", "not", "propertyNames", "then"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];
const schemaList = ["allOf", "anyOf", "oneOf", "prefixItems"];
const schemaMap = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
const count = [
  ...["maxContains", "maxItems", "maxLength", "maxProperties"],
  ...["minContains", "minItems", "minLength", "minProperties"],
];
const number = ["maximum", "minimum", "multipleOf"];
const text = ["$anchor", "$id", "$recursiveRef", "$ref", "$schema", "format", "id", "pattern"];
const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

type Fits = (value: unknown) => boolean;

interface Shape {
  readonly fits: Fits;
  /** The expected value, for messages. */
  readonly what: string;
}

const isMap: Fits = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSchema: Fits = (value) => typeof value === "boolean" || isMap(value);
const isText: Fits = (value) => typeof value === "string";
const isNumber: Fits = (value) => typeof value === "number" || typeof value === "bigint";
const isFlag: Fits = (value) => typeof value === "boolean";
const isType: Fits = (value) => types.some((one) => one === value);
const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const mapOf =
  (fits: Fits): Fits =>
  (value) =>
    isMap(value) && Object.values(value as object).every(fits);
const either =
  (...checks: readonly Fits[]): Fits =>
  (value) =>
    checks.some((fits) => fits(value));
const all = (keywords: readonly string[], fits: Fits, what: string) =>
  keywords.map((keyword) => [keyword, { fits, what }] as const);

const aSchema = "a schema: an object, true or false";

const shapes: ReadonlyMap<string, Shape> = new Map([
  ...all(schema, isSchema, aSchema),
  ...all(["items"], either(isSchema, listOf(isSchema)), "a schema, or a list of schemas"),
  ...all(schemaList, listOf(isSchema), "a list of schemas"),
  ...all(schemaMap, mapOf(isSchema), "an object of schemas"),
  ...all(["dependencies"], mapOf(either(isSchema, listOf(isText))), "an object of schemas and of lists of names"),
  ...all(["dependentRequired"], mapOf(listOf(isText)), "an object of lists of names"),
  ...all(["required"], listOf(isText), "a list of names"),
  ...all(["type"], either(isType, listOf(isType)), `one of ${types.join(", ")}, or a list of them`),
  ...all(["enum"], Array.isArray, "a list of values"),
  ...all(count, (value) => Number.isSafeInteger(value) && (value as number) >= 0, "a whole number from 0"),
  ...all(number, isNumber, "a number"),
  ...all(["exclusiveMaximum", "exclusiveMinimum"], either(isNumber, isFlag), "a number"),
  ...all(["$recursiveAnchor", "uniqueItems"], isFlag, "true or false"),
  ...all(text, isText, "a text"),
]);

/** Returns what the value of a keyword should be; undefined when the value is valid. */
export function misshapen(keyword: string, value: unknown): string | undefined {
  const shape = shapes.get(keyword);
  return shape === undefined || shape.fits(value) ? undefined : shape.what;
}

/** Yields the schemas directly inside a schema, with their places. */
export function* innerSchemas(node: object, place: string): Generator<readonly [schema: unknown, place: string]> {
  for (const [keyword, value] of Object.entries(node)) {
    const at = `${place}/${keyword}`;
    if (schemaMap.includes(keyword) || keyword === "dependencies") {
      for (const [name, inner] of Object.entries(value)) yield [inner, `${at}/${name}`];
    } else if (Array.isArray(value) && (schemaList.includes(keyword) || keyword === "items")) {
      for (const [index, inner] of value.entries()) yield [inner, `${at}/${index}`];
    } else if (schema.includes(keyword) || keyword === "items") yield [value, at];
  }
}
