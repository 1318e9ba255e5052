/** A schema whose names are in camelCase, for texts that may write them in kebab-case. */
import type { JsonSchema } from "./json-schema.ts";

/** What is written in kebab-case is not looked into: editors propose camelCase, and the check knows both. */
const kebabNames: JsonSchema = { "^[a-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$": true };

/** Maps without other names take those in kebab-case, and required names may be written so. */
export function withKebabCase(schema: JsonSchema): JsonSchema {
  const { required, ...others } = schema;
  const made = Object.fromEntries(Object.entries(others).map(([keyword, value]) => [keyword, below(keyword, value)]));
  if (made["additionalProperties"] === false) made["patternProperties"] = kebabNames;
  const names = (required ?? []) as readonly string[];
  const plain = names.filter((name) => kebabCase(name) === name);
  if (plain.length > 0) made["required"] = plain;
  const either = names
    .filter((name) => kebabCase(name) !== name)
    .map((name) => ({ anyOf: [{ required: [name] }, { required: [kebabCase(name)] }] }));
  if (either.length > 0) made["allOf"] = [...((made["allOf"] ?? []) as readonly JsonSchema[]), ...either];
  return made;
}

/** The value of a keyword; only schemas are entered, never names, examples or defaults. */
function below(keyword: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  switch (keyword) {
    case "properties":
    case "$defs":
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withKebabCase(schema)]));
    case "anyOf":
    case "oneOf":
    case "allOf":
      return (value as readonly JsonSchema[]).map(withKebabCase);
    case "items":
    case "additionalProperties":
    case "not":
    case "if":
    case "then":
    case "else":
      return withKebabCase(value as JsonSchema);
    default:
      return value;
  }
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
