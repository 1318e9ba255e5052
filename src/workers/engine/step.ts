/** How a step (EIP) is defined: one value that holds its options, its line of documentation, an example and its behaviour. */
import type { EndpointModel, ExpressionModel, FormatModel, StepModel } from "../../shared/flow-model.ts";
import type { BeanReference } from "./bean.ts";
import type { FlowScope } from "./flow-scope.ts";
import type { Translate } from "./format.ts";
import type { UseMapping } from "./mappings.ts";
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
  /** true: the route's error handler is not around the step itself: it has its own way with failures (Camel: doTry, multicast). */
  readonly ownErrors?: boolean;
  /** true: its option `id` names something else, so the step's own id is written as `stepId` (mappings). */
  readonly idIsOption?: boolean;
  /** true: only what the check makes of a text names it, no text does. */
  readonly internal?: boolean;
  compile(options: OptionsOf<S>, context: CompileContext): Processor;
}

/** What a step may ask for while it is compiled; everything is bound then, nothing looked up per message. */
export interface CompileContext extends FlowScope {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
  /** Index into the flow's step table. */
  readonly stepIndex: number;
  /** The line of the flow's text where it begins. */
  readonly line: number;
  expression(model: ExpressionModel): Expression;
  predicate(model: ExpressionModel): Predicate;
  /** The expression's value as text, null as "". */
  text(model: ExpressionModel): (...args: Parameters<Expression>) => string;
  /** `none`: errors of these steps reach the processor's caller; by default the route's error handler is around each of them. */
  pipeline(steps: readonly StepModel[], options?: { readonly errorHandler: "none" }): Processor;
  /** The processor with the route's error handler around it, as if it were a step of its own. */
  guard(processor: Processor): Processor;
  producer(endpoint: EndpointModel): Processor;
  /** A body as text or bytes of the data format; throws for a format that only reads. */
  marshaller(format: FormatModel): Translate;
  /** Text or bytes of the data format as a value; throws for a format that only writes. */
  unmarshaller(format: FormatModel): Translate;
  /** Producers for URIs that are known when a message comes; of each URI one is made and, within a bound, kept. */
  dynamicProducer(options?: DynamicOptions): (uri: string) => Processor;
  /** What `#name`, `#class:type` or `name` stands for; undefined when the flow has no such bean. */
  bean(reference: string): BeanReference | undefined;
  readonly useMapping: UseMapping;
}

export interface DynamicOptions {
  /** Schemes that may be used, separated by commas. */
  readonly allowedSchemes?: string | undefined;
  /** Producers that are kept: absent or 0 is the most, a negative number none (Camel: ProducerCache). */
  readonly cacheSize?: number | undefined;
  /** What gives the URIs: as far as its text names their schemes, no others are meant. */
  readonly from?: Pick<ExpressionModel, "language" | "text"> | undefined;
}

export function defineStep<S extends OptionsSchema>(definition: StepDefinition<S>): StepDefinition {
  return definition as unknown as StepDefinition;
}
