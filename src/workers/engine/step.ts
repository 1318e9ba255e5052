/** How a step (EIP) is defined: one value that holds its options, its line of documentation, an example and its behaviour. */
import type { EndpointModel, ExpressionModel, StepModel } from "../../shared/flow-model.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Expression, Predicate, Processor } from "./processor.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

export interface StepDefinition<S extends OptionsSchema = OptionsSchema> {
  /** Camel's name in camelCase. */
  readonly name: string;
  /** One sentence. */
  readonly docs: string;
  readonly options: DefineOptions<S>;
  /** The option that the string form fills: `log: "text"` is `log: {message: "text"}`. */
  readonly short?: string;
  /** A step as YAML that checks, compiles and runs: printed in the reference, run by a test. */
  readonly example: string;
  /** true: it keeps state between runs, so its flow has exactly one thread. */
  readonly stateful?: boolean;
  compile(options: OptionsOf<S>, context: CompileContext): Processor;
}

/** What a step may ask for while it is compiled; everything is bound then, nothing looked up per message. */
export interface CompileContext {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
  /** Index into the flow's step table. */
  readonly stepIndex: number;
  readonly limits: Limits;
  expression(model: ExpressionModel): Expression;
  predicate(model: ExpressionModel): Predicate;
  /** The expression's value as text, null as "". */
  text(model: ExpressionModel): (...args: Parameters<Expression>) => string;
  pipeline(steps: readonly StepModel[]): Processor;
  producer(endpoint: EndpointModel): Processor;
}

export function defineStep<S extends OptionsSchema>(definition: StepDefinition<S>): StepDefinition {
  return definition as unknown as StepDefinition;
}
