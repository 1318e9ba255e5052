/** What is wrong with the schema of a mapping's target, before any message meets it. */
import type { JsonSchema } from "../../shared/message-mapping-model.ts";
import { exceptionMessage } from "../engine/exception.ts";
import { LinearRegExp } from "../languages/linear-reg-exp.ts";
import { compileSchema } from "./json-schema.ts";
import { resolved } from "./schema-lists.ts";

/** Keywords whose values are data, not schemas. */
const data = new Set(["const", "enum", "default", "examples", "$comment", "title", "description"]);

/** Keywords whose values hold schemas by names of any kind. */
const byName = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** One text for each fault, with its place in the document. */
export function checkSchema(schema: JsonSchema): readonly string[] {
  const problems: string[] = [];
  visit(schema, "/target/schema", schema, problems);
  if (problems.length > 0) return problems;
  const copy = structuredClone(schema);
  try {
    compileSchema(copy)(null);
  } catch (error) {
    const why =
      error instanceof RangeError ? "its references go round in a circle" : exceptionMessage(error).split("\n")[0];
    problems.push(`/target/schema: ${why}`);
  }
  return problems;
}

function visit(node: unknown, place: string, root: JsonSchema, problems: string[]): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    node.forEach((inner, index) => {
      visit(inner, `${place}/${index}`, root, problems);
    });
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    const at = `${place}/${key}`;
    if (byName.has(key) && typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if (key === "patternProperties") checkPattern(name, at, problems);
        visit(inner, `${at}/${name}`, root, problems);
      }
      continue;
    }
    if (key === "pattern" && typeof value === "string") checkPattern(value, at, problems);
    else if (/^\$(?:ref|dynamicRef|recursiveRef)$/.test(key) && typeof value === "string") {
      checkReference(key, value, at, root, problems);
    } else if (!data.has(key)) visit(value, at, root, problems);
  }
}

function checkPattern(pattern: string, place: string, problems: string[]): void {
  try {
    new LinearRegExp(pattern);
  } catch (error) {
    problems.push(`${place}: ${exceptionMessage(error)}`);
  }
}

function checkReference(key: string, reference: string, place: string, root: JsonSchema, problems: string[]): void {
  if (key === "$dynamicRef") problems.push(`${place}: $dynamicRef is not known here: use $ref`);
  else if (!reference.startsWith("#")) {
    problems.push(
      `${place}: '${reference}' is not in the schema: nothing is fetched, so copy it into $defs and refer to '#/$defs/...'`,
    );
  } else if (/^#(?:\/|$)/.test(reference) && resolved(root, reference) === undefined) {
    problems.push(`${place}: '${reference}' does not exist in the schema`);
  }
}
