/** Defines steps (EIPs): one value with the options, a line of documentation, an example and the behaviour. */
import type {
  EndpointModel,
  ExpressionModel,
  FormatModel,
  ProcessorModel,
  StepModel,
} from "../../shared/flow-model.ts";
import type { BeanReference } from "./bean.ts";
import type { FlowScope } from "./flow-scope.ts";
import type { UseState, Warn } from "./flow-state.ts";
import type { Translate } from "./format.ts";
import type { UseMapping } from "./mappings.ts";
import type { Poll } from "./poller.ts";
import type { Expression, Predicate, Processor } from "./processor.ts";
import type { UseVariable } from "./shared-variables.ts";
import type { DefineOptions, OptionsOf, OptionsSchema } from "./slots.ts";

export interface StepDefinition<S extends OptionsSchema = OptionsSchema> {
  /** Camel's name in camelCase. */
  readonly name: string;
  /** One sentence. */
  readonly docs: string;
  readonly options: DefineOptions<S>;
  /** The option that the string form fills: `log: "text"` is `log: {message: "text"}`. */
  readonly short?: string;
  /** A step as YAML that compiles and runs; the reference prints it, and a test runs it. */
  readonly example: string;
  /** true: it keeps state between runs, so its flow has exactly one thread. */
  readonly stateful?: boolean;
  /**
   * true: the route's error handler does not wrap the step itself, which handles failures in its own way (Camel: doTry,
   * multicast).
   */
  readonly ownErrors?: boolean;
  /** true: its option `id` has another meaning, so the step's own id is written as `stepId` (mappings). */
  readonly idIsOption?: boolean;
  /** true: the check generates the step; texts of flows cannot name it. */
  readonly internal?: boolean;
  compile(options: OptionsOf<S>, context: CompileContext): Processor;
}

/** Services for a step while it is compiled. All references are resolved then, none per message. */
export interface CompileContext extends FlowScope {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
  /** The index in the flow's step table. */
  readonly stepIndex: number;
  /** The line of the step in the flow's text. */
  readonly line: number;
  expression(model: ExpressionModel): Expression;
  predicate(model: ExpressionModel): Predicate;
  /** Compiles an expression whose value is converted to text, null to "". */
  text(model: ExpressionModel): (...args: Parameters<Expression>) => string;
  /**
   * `none`: errors of these steps reach the processor's caller; by default the route's error handler wraps each of
   * them.
   */
  pipeline(steps: readonly StepModel[], options?: { readonly errorHandler: "none" }): Processor;
  /** Wraps the processor with the route's error handler, as if it were a step. */
  guard(processor: Processor): Processor;
  /**
   * Registers what the runs begin with that the step announces, under the step's id: a message of such a run that failed
   * can then be run again. Returns the processor.
   */
  entry(processor: Processor): Processor;
  producer(endpoint: EndpointModel): Processor;
  /** Throws CompileError for a bean that is no processor. */
  processor(model: ProcessorModel): Processor;
  /** Converts a body to text or bytes of the data format; throws for a format that only reads. */
  marshaller(format: FormatModel): Translate;
  /** Converts text or bytes of the data format to a value; throws for a format that only writes. */
  unmarshaller(format: FormatModel): Translate;
  /**
   * Returns producers for URIs that depend on the message. Each URI gets one producer, which is kept within a bound.
   */
  dynamicProducer(options?: DynamicOptions): (uri: string) => Processor;
  /** Throws for an endpoint that cannot be polled. */
  poll(endpoint: EndpointModel): Poll;
  /** The poll of the endpoint that a text of the flow names. Throws for a text that is none. */
  fixedPoll(uri: Pick<ExpressionModel, "text" | "at">, allowedSchemes?: string): Poll;
  /** As dynamicProducer, for polls. */
  dynamicPoll(options?: DynamicOptions): (uri: string) => Poll;
  /** Returns the bean that `#name`, `#class:type` or `name` refers to; undefined for an unknown one. */
  bean(reference: string): BeanReference | undefined;
  readonly useMapping: UseMapping;
  readonly useVariable: UseVariable;
  readonly state: UseState;
  readonly warn: Warn;
}

export interface DynamicOptions {
  /** Allowed schemes, separated by commas. */
  readonly allowedSchemes?: string | undefined;
  /** The most producers that are kept; absent or 0: the maximum; negative: none (Camel: ProducerCache). */
  readonly cacheSize?: number | undefined;
  /** The expression that yields the URIs. If its text names their schemes, only those are possible. */
  readonly from?: (Pick<ExpressionModel, "language" | "text"> & { readonly at?: ExpressionModel["at"] }) | undefined;
  /** true: it yields several URIs, with commas between them. */
  readonly several?: true;
}

export function defineStep<S extends OptionsSchema>(definition: StepDefinition<S>): StepDefinition {
  return definition as unknown as StepDefinition;
}
