/** Formats JSON for people (Camel: ExpressionBuilder.prettyExpression, Jsoner.prettyPrint). */
import { asText, asValue, isPlainObject } from "../../engine/convert.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { writeJson } from "../../engine/write-json.ts";

/** Formats a list, a map or a JSON text with a tab per level and a line end at the end; any other value as text. */
export function prettyText(value: unknown, max: number): string {
  const inner = asValue(value);
  if (Array.isArray(inner) || isPlainObject(inner)) return `${writeJson(inner, max, "\t")}\n`;
  const text = asText(value, max);
  const parsed = parsedJson(text);
  return parsed === undefined ? text : `${writeJson(parsed.value, max, "\t")}\n`;
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}
