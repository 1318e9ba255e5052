/** A checked flow as plain data: check threads make it from the YAML, and flow threads compile it. */
import type { Position } from "./diagnostic.ts";

export interface FlowModel {
  readonly flowId: string;
  /** The flow's parameters for `${properties:name}`, as text, with placeholders filled and without secrets. */
  readonly params: Readonly<Record<string, string>>;
  readonly routes: readonly RouteModel[];
  readonly beans?: readonly BeanModel[];
  /** Names of the secrets whose marks (secret-mark.ts) the model contains. */
  readonly secrets?: readonly string[];
}

/** An entry of `beans`: a class that this runtime supports, with its properties. */
export interface BeanModel {
  readonly name: string;
  /** Full class name. */
  readonly type: string;
  /** Nested properties; dotted names are split. Scalars are texts. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The text of a `java.lang.String`. */
  readonly text?: string;
  readonly at: Position;
}

export interface RouteModel {
  readonly id: string;
  readonly at: Position;
  /** false: the route is deployed, but runs only after the flow is started by hand (Camel's autoStartup). */
  readonly autoStartup: boolean;
  /** What `${routeGroup}` of simple shows. */
  readonly group?: string;
  readonly from: FromModel;
  readonly steps: readonly StepModel[];
  /** Absent: failures reach the caller without further handling. */
  readonly errors?: ErrorsModel;
  /** The completions, in the order in which they run. */
  readonly onCompletions?: readonly OnCompletionModel[];
  readonly intercepts?: readonly InterceptModel[];
}

/** How a route handles failures: the error handler, and the clauses in the order of their precedence. */
export interface ErrorsModel {
  readonly handler: ErrorHandlerModel;
  readonly clauses: readonly OnExceptionModel[];
}

export interface ErrorHandlerModel {
  readonly kind: "default" | "deadLetter" | "none";
  readonly redelivery?: RedeliveryModel;
  /** The endpoint of a dead letter channel. */
  readonly deadLetter?: EndpointModel;
  readonly handlesNewExceptions: boolean;
  readonly useOriginalMessage: boolean;
  readonly useOriginalBody: boolean;
  readonly hooks: ErrorHooksModel;
  readonly at: Position;
}

/** What is called while a failure is dealt with. */
export interface ErrorHooksModel {
  /** After each failed attempt. */
  readonly occurred?: ProcessorModel;
  /** Before the step is tried again. */
  readonly redelivery?: ProcessorModel;
  /** Before the message is given up; not in an onException. */
  readonly prepare?: ProcessorModel;
}

/** A processor that an option names: an endpoint, or a bean of a class that is a processor of this runtime. */
export type ProcessorModel =
  | { readonly endpoint: EndpointModel }
  /** The reference as written: `#name`, `name`, `#class:...`. */
  | { readonly bean: string; readonly at: Position };

/** Camel's onException. */
export interface OnExceptionModel {
  readonly id: string;
  readonly at: Position;
  readonly exceptions: readonly string[];
  readonly onWhen?: ExpressionModel;
  readonly handled?: ExpressionModel;
  readonly continued?: ExpressionModel;
  readonly retryWhile?: ExpressionModel;
  readonly redelivery?: RedeliveryModel;
  readonly useOriginalMessage: boolean;
  readonly useOriginalBody: boolean;
  readonly hooks: ErrorHooksModel;
  readonly steps: readonly StepModel[];
}

/** Camel's redeliveryPolicy as written; absent fields are inherited. Times in milliseconds. */
export interface RedeliveryModel {
  readonly maximumRedeliveries?: number | undefined;
  readonly redeliveryDelay?: number | undefined;
  readonly maximumRedeliveryDelay?: number | undefined;
  readonly useExponentialBackOff?: boolean | undefined;
  readonly backOffMultiplier?: string | undefined;
  readonly useCollisionAvoidance?: boolean | undefined;
  readonly collisionAvoidanceFactor?: string | undefined;
  readonly delayPattern?: string | undefined;
  readonly disableRedelivery?: boolean | undefined;
  readonly logRetryAttempted?: boolean | undefined;
  readonly retryAttemptedLogLevel?: Level | undefined;
  readonly retryAttemptedLogInterval?: number | undefined;
  readonly logExhausted?: boolean | undefined;
  readonly retriesExhaustedLogLevel?: Level | undefined;
  readonly logHandled?: boolean | undefined;
  readonly logContinued?: boolean | undefined;
  readonly logNewException?: boolean | undefined;
}

type Level = "TRACE" | "DEBUG" | "INFO" | "WARN" | "ERROR" | "OFF";

/** Camel's onCompletion: steps that run when the route is over. */
export interface OnCompletionModel {
  readonly id: string;
  readonly at: Position;
  /** false: the steps run as a separate run, after the caller has its reply. */
  readonly beforeReply: boolean;
  readonly on: "always" | "complete" | "failure";
  readonly onWhen?: ExpressionModel;
  readonly useOriginalMessage: boolean;
  readonly steps: readonly StepModel[];
}

/** Camel's intercept, interceptFrom and interceptSendToEndpoint. */
export interface InterceptModel {
  readonly kind: "step" | "from" | "send";
  readonly id: string;
  readonly at: Position;
  /** The pattern of the endpoints, for `from` and `send`. */
  readonly uri?: string;
  readonly onWhen?: ExpressionModel;
  readonly skip: boolean;
  /** The endpoint that is called after the intercepted one, unless that was skipped. */
  readonly after?: EndpointModel;
  readonly steps: readonly StepModel[];
}

export interface FromModel {
  readonly id: string;
  readonly endpoint: EndpointModel;
  /** The variable that receives the message's body; the body becomes null (Camel 4.4). */
  readonly variableReceive?: string;
}

/** One step. `options` is the result of the step's own schema, with placeholders filled and canonical names. */
export interface StepModel {
  readonly type: string;
  /** The id as written, or generated from the type and a number per type in the flow (`log1`, `setBody2`). */
  readonly id: string;
  readonly options: unknown;
  readonly at: Position;
}

/** An expression in one language, in whichever of the four spellings it was written. */
export interface ExpressionModel {
  readonly language: string;
  /** The expression's text, trimmed unless `trim: false`. */
  readonly text: string;
  /** The language's own options, checked by its schema. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A type name to convert the result to (`java.lang.Integer`, `String`, `int`, ...). */
  readonly resultType?: string;
  /** Where the text begins. */
  readonly at: Position;
}

/** A data format with its options checked by its own schema. */
export interface FormatModel {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly at: Position;
}

/** An endpoint with its options checked by its component's schema. */
export interface EndpointModel {
  readonly scheme: string;
  /** The URI in normal form: `timer:tick?period=1000`; options in the order written. */
  readonly uri: string;
  /** The URI as written in the flow, with placeholders filled; absent when it equals `uri`. */
  readonly written?: string;
  /** Path and query options together, converted. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Further parameters in the URI of a lenient component, sorted by name. */
  readonly parameters?: readonly (readonly [name: string, value: string])[];
  /** The texts of options that hold expressions of simple, each with its place. */
  readonly texts?: readonly (readonly [text: string, at: Position])[];
  readonly at: Position;
}
