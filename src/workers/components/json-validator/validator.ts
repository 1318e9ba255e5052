/** Validates values against a flow's schema. */
import type { Limits } from "../../../shared/limits.ts";
import type { JsonSchema } from "../../../shared/mapping-models.ts";
import { isPlainObject } from "../../engine/convert.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { Budget } from "../../languages/budget.ts";
import { checkSchema } from "../../mappings/check-schema.ts";
import { compileFullSchema, type Invalid } from "../../mappings/json-schema.ts";

/** The most faults of a schema that a message lists. */
const mostProblems = 5;

/** `text`: the schema as JSON. Throws Error with what is wrong with it, and where. */
export function validatorOf(text: string): (value: unknown, limits: Limits) => readonly Invalid[] {
  const schema = schemaOf(text);
  const problems = checkSchema(schema, "");
  if (problems.length > 0) throw new Error(`the schema is wrong: ${problems.slice(0, mostProblems).join("; ")}`);
  const validate = compileFullSchema(schema);
  return (value, limits) => {
    const budget = new Budget(limits, "JSON Schema");
    try {
      return validate(value, budget);
    } catch (error) {
      if (error instanceof RangeError) throw budget.exceeded("validates values that nest less deep");
      throw error;
    }
  };
}

function schemaOf(text: string): JsonSchema {
  let schema: unknown;
  try {
    schema = parseJson(text);
  } catch (error) {
    throw new Error(`the schema is not JSON: ${exceptionMessage(error)}`);
  }
  if (typeof schema === "boolean" || isPlainObject(schema)) return schema;
  throw new Error("the schema is an object of JSON Schema, true or false");
}
