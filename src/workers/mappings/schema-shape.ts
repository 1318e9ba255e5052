/** What stands behind each keyword of JSON Schema: the validator takes that for granted. */

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

type Check = (value: unknown) => boolean;

interface Shape {
  readonly fits: Check;
  /** What it is, for messages. */
  readonly what: string;
}

const isMap: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSchema: Check = (value) => typeof value === "boolean" || isMap(value);
const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" || typeof value === "bigint";
const isFlag: Check = (value) => typeof value === "boolean";
const isType: Check = (value) => types.some((one) => one === value);
const listOf =
  (fits: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(fits);
const mapOf =
  (fits: Check): Check =>
  (value) =>
    isMap(value) && Object.values(value as object).every(fits);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((fits) => fits(value));
const all = (keywords: readonly string[], fits: Check, what: string) =>
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

/** What the value of a keyword should be; undefined: it is. */
export function misshapen(keyword: string, value: unknown): string | undefined {
  const shape = shapes.get(keyword);
  return shape === undefined || shape.fits(value) ? undefined : shape.what;
}

/** The schemas right below a schema, with their places. */
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
