/**
 * The parts of which options schemas are made. `z` and the slots are given to each definition, never imported by it:
 * check threads give schemas that read YAML, `describe` gives schemas that print as JSON Schema, flow threads give none.
 */
import type { z as zod } from "zod";
import type { EndpointModel, ExpressionModel, FormatModel, StepModel } from "../../shared/flow-model.ts";

export type Z = typeof zod;
type Schema<T> = zod.ZodType<T>;

/** YAML scalars reach a schema as text, whatever their YAML type (Camel converts text too); the slots convert. */
export interface Slots {
  /** Any scalar, as its source text. */
  readonly text: Schema<string>;
  /** `true` or `false`. */
  readonly flag: Schema<boolean>;
  /** A whole number. */
  readonly integer: Schema<number>;
  /** Milliseconds, written as a number or as `5s`, `1m30s`. */
  readonly duration: Schema<number>;
  oneOf<const T extends string>(values: readonly T[]): Schema<T>;
  /** A value-giving expression in any of Camel's four spellings; inline languages of the same map count. */
  readonly expression: Schema<ExpressionModel>;
  /** The same for a condition: texts in `simple` follow the predicate grammar. */
  readonly predicate: Schema<ExpressionModel>;
  /** Text that is a `simple` template: a log message, a header's name. */
  readonly template: Schema<ExpressionModel>;
  /** A list of steps. */
  readonly steps: Schema<readonly StepModel[]>;
  /** `uri` and `parameters` of the same map as one endpoint that a producer is made of. */
  readonly endpoint: Schema<EndpointModel>;
  /** The one key of the same map that names a data format: `json: {prettyPrint: true}`, `json: Jackson`, `json: {}`. */
  readonly dataFormat: Schema<FormatModel>;
  /** Text that is the URI of an endpoint that a producer is made of. */
  readonly uri: Schema<EndpointModel>;
  /** A map inside a step's options (`when`, an entry of `setHeaders`) that may hold an inline expression and steps. */
  clause<S extends zod.ZodRawShape>(shape: S): zod.ZodObject<S>;
  /** An option of Camel that is taken and changes nothing, with the reason: the check warns where it is given. */
  idle<T>(schema: Schema<T>, why: string): zod.ZodOptional<Schema<T>>;
  /** An option of Camel that is refused when given, with the reason; `unless` it is given the value that it has in Camel anyway. */
  refused(reason: string, unless?: string): zod.ZodOptional<Schema<never>>;
}

export type OptionsOf<S extends zod.ZodType> = zod.output<S>;
export type OptionsSchema = zod.ZodObject;
export type DefineOptions<S extends OptionsSchema> = (z: Z, slots: Slots) => S;
