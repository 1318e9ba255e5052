/** Compares a message's body with what is expected. */
import { parseExactly } from "./exact-json.ts";
import { isMatcher } from "./matcher-operators.ts";
import { type How, type Mismatch, mismatches } from "./matchers.ts";

/** The mismatches of `comparedBody`. */
export function bodyMismatches(expected: unknown, body: unknown, how: How): readonly Mismatch[] {
  return mismatches(expected, comparedBody(expected, body), how);
}

/**
 * Returns the value to compare. A text that is a JSON object or list is compared as this value, unless a text is
 * expected: who writes a matcher does not think of whether the flow has serialized its message already.
 */
export function comparedBody(expected: unknown, body: unknown): unknown {
  return typeof body === "string" && !aboutText(expected) ? jsonOf(body) : body;
}

/** Returns the JSON value of a text, or the text itself if it is not JSON. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

function aboutText(expected: unknown): boolean {
  if (!isMatcher(expected)) return typeof expected === "string";
  return Object.entries(expected).some(([name, operand]) => {
    if (name === "$not") return aboutText(operand);
    if (name === "$in") return Array.isArray(operand) && operand.some((one) => typeof one === "string");
    return name === "$type" ? operand === "string" : typeof operand === "string";
  });
}
