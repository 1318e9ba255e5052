/** A mock's expression as the compilers of flows read one; it stands nowhere in a flow's text. */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import type { MockExpression } from "../../shared/mock.ts";

const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };

export function expressionModel({ language, text }: MockExpression): ExpressionModel {
  return { language, text, options: {}, at };
}
