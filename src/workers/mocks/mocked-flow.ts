/** What mocks need of the flow whose thread they are in. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";

export interface MockedFlow {
  readonly manifest: Pick<FlowManifest, "steps">;
  /** The endpoint that a step sends to, in normal form; undefined: none, or none that is known before a message comes. */
  endpoint(step: number): string | undefined;
  /** With the flow's own parameters, mappings and limits. */
  readonly expressions: ExpressionCompiler;
}
