/** What is wrong with the schema of a mapping's target, before any message meets it. */
import { defaultLimits } from "../../shared/limits.ts";
import type { JsonSchema } from "../../shared/mapping-models.ts";
import { isPlainObject } from "../engine/convert.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { Budget } from "../languages/budget.ts";
import { LinearRegExp } from "../languages/linear-reg-exp.ts";
import { compileSchema } from "./json-schema.ts";
import { resolved } from "./schema-lists.ts";
import { innerSchemas, misshapen } from "./schema-shape.ts";

/** One text for each fault, with its place in the document. */
export function checkSchema(schema: JsonSchema): readonly string[] {
  const check = { root: schema, problems: [], seen: new Set<unknown>() };
  visit(schema, "/target/schema", check);
  if (check.problems.length > 0) return check.problems;
  try {
    compileSchema(structuredClone(schema))(null, new Budget(defaultLimits, "JSON Schema"));
  } catch (error) {
    const why =
      error instanceof RangeError ? "its references go round in a circle" : exceptionMessage(error).split("\n")[0];
    return [`/target/schema: ${why}`];
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
