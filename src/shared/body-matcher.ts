/** A message's body beside what is expected of it. */
import { parseExactly } from "./exact-json.ts";
import { isMatcher } from "./matcher-operators.ts";
import { type How, type Mismatch, mismatches } from "./matchers.ts";

/** As `mismatches`, of `comparedBody`. */
export function bodyMismatches(expected: unknown, body: unknown, how: How): readonly Mismatch[] {
  return mismatches(expected, comparedBody(expected, body), how);
}

/**
 * A text that is a JSON object or list is compared as this value, unless what is expected is itself about a text: whether a flow has made
 * a text of its message already is not what the sender of a matcher thinks of.
 */
export function comparedBody(expected: unknown, body: unknown): unknown {
  return typeof body === "string" && !aboutText(expected) ? jsonOf(body) : body;
}

/** The text itself when it is none. */
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
