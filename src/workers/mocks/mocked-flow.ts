/** The data of a thread's flow that mocks read. */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { MockExpression } from "../../shared/mock.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";

export interface MockedFlow {
  readonly manifest: Pick<FlowManifest, "steps">;
  /**
   * The endpoint that a step sends to, in normal form; undefined when there is none, or when it depends on the message.
   */
  endpoint(step: number): string | undefined;
  /** Compiles with the flow's own parameters, mappings and limits. */
  readonly expressions: ExpressionCompiler;
}

const at = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Wraps a mock's expression for the expression compiler. It has no position in the flow's text. */
export function expressionModel({ language, text }: MockExpression): ExpressionModel {
  return { language, text, options: {}, at };
}
