/** A checked flow as plain data: what the check threads make of the YAML and what the flow threads compile. */
import type { Position } from "./diagnostic.ts";

export interface FlowModel {
  readonly flowId: string;
  readonly routes: readonly RouteModel[];
}

export interface RouteModel {
  readonly id: string;
  readonly at: Position;
  /** false: the route is deployed but does not run until the flow is started by hand (Camel's autoStartup). */
  readonly autoStartup: boolean;
  readonly from: FromModel;
  readonly steps: readonly StepModel[];
}

export interface FromModel {
  readonly id: string;
  readonly endpoint: EndpointModel;
  /** The message's body goes into this variable and the body is null (Camel 4.4). */
  readonly variableReceive?: string;
}

/** One step; `options` is what the step's own schema made of the YAML, placeholders filled, spelling canonical. */
export interface StepModel {
  readonly type: string;
  /** As written, or generated: the type and a number that counts per type in the flow (`log1`, `setBody2`). */
  readonly id: string;
  readonly options: unknown;
  readonly at: Position;
}

/** One expression in one language, whichever of the four spellings it had. */
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

/** An endpoint with its options checked by its component's schema. */
export interface EndpointModel {
  readonly scheme: string;
  /** In normal form: `timer:tick?period=1000`; options in the order written. */
  readonly uri: string;
  /** Path and query options together, converted. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly at: Position;
}
