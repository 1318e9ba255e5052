/** Parses a whole text where an expression stands (Camel: SimpleExpressionParser). */
import { readPieces, sourceOf } from "./parse-function.ts";
import { readChain } from "./parse-operand.ts";
import { parseTernary } from "./parse-predicate.ts";
import type { Node } from "./tree.ts";

/**
 * Parses a template, in which operators other than `++ -- ~> ?: ? :` are literal text. Throws ExpressionSyntaxError.
 */
export function parseTemplate(text: string, base: number): Node {
  return parseTernary(text, base) ?? readPieces(sourceOf(text, base), readChain);
}
