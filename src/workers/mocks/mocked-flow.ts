/** What mocks need of the flow whose thread they are in. */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MockExpression } from "../../shared/mock.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";

export interface MockedFlow {
  readonly manifest: Pick<FlowManifest, "steps">;
  /** The endpoint that a step sends to, in normal form; undefined: none, or none that is known before a message comes. */
  endpoint(step: number): string | undefined;
  /** With the flow's own parameters, mappings and limits. */
  readonly expressions: ExpressionCompiler;
}

const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** A mock's expression as the compilers of flows read one; it stands nowhere in a flow's text. */
export function expressionModel({ language, text }: MockExpression): ExpressionModel {
  return { language, text, options: {}, at };
}
