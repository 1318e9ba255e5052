/** A whole text in the place of an expression -> tree (Camel: SimpleExpressionParser). */
import { readPieces, sourceOf } from "./parse-function.ts";
import { readChain } from "./parse-operand.ts";
import { parseTernary } from "./parse-predicate.ts";
import type { Node } from "./tree.ts";

/** Operators other than `++ -- ~> ?: ? :` are literal text here. Throws ExpressionSyntaxError. */
export function parseTemplate(text: string, base: number): Node {
  return parseTernary(text, base) ?? readPieces(sourceOf(text, base), readChain);
}
