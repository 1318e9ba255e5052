/**
 * The parts of option schemas. Definitions get `z` and the slots as arguments and never import them: check threads pass
 * schemas that read YAML, `describe` passes schemas that print as JSON Schema, and flow threads pass none.
 */

import type { z as zod } from "zod";
import type {
  EndpointModel,
  ExpressionModel,
  FormatModel,
  ProcessorModel,
  StepModel,
} from "../../shared/flow-model.ts";

export type Z = typeof zod;
type Schema<T> = zod.ZodType<T>;

/**
 * YAML scalars reach a schema as text, whatever their YAML type (Camel also converts text), and the slots convert them.
 * `words` describes the option to users in one or two short sentences: its unit, the effect of its default if that is
 * not obvious, and an example if the form is not. The catalogue, the editors' schema and the reference print it.
 */
export interface Slots {
  /** Any scalar, as its source text. */
  text(words: string): Schema<string>;
  /** `true` or `false`. */
  flag(words: string): Schema<boolean>;
  /** A whole number. */
  integer(words: string): Schema<number>;
  /** Milliseconds, written as a number or as `5s`, `1m30s`. */
  duration(words: string): Schema<number>;
  oneOf<const T extends string>(values: readonly T[], words: string): Schema<T>;
  /** An expression in any of Camel's four spellings, including inline languages of the same map. */
  expression(words: string): Schema<ExpressionModel>;
  /** As expression, for a condition: texts in `simple` follow the predicate grammar. */
  predicate(words: string): Schema<ExpressionModel>;
  /** A text that is a `simple` template: a log message, a header's name. */
  template(words: string): Schema<ExpressionModel>;
  /** A list of steps. */
  steps(words: string): Schema<readonly StepModel[]>;
  /** `uri` and `parameters` of the same map as one endpoint for a producer. `words` describes the `uri`. */
  endpoint(words: string): Schema<EndpointModel>;
  /**
   * `uri` and `parameters` of the same map as one endpoint that is polled, or as a `simple` template when they have
   * `${...}`. `words` describes the `uri`.
   */
  polled(words: string): Schema<EndpointModel | ExpressionModel>;
  /** The one key of the same map that names a data format: `json: {prettyPrint: true}`, `json: Jackson`, `json: {}`. */
  dataFormat(words: string): Schema<FormatModel>;
  /** A text that is the URI of an endpoint for a producer. */
  uri(words: string): Schema<EndpointModel>;
  /** The URI of an endpoint for a producer, or a reference to a bean that is a processor (engine/bean-processor.ts). */
  processor(words: string): Schema<ProcessorModel>;
  /**
   * A map inside a step's options (`when`, an entry of `setHeaders`) that may contain an inline expression and steps.
   */
  clause<S extends zod.ZodRawShape>(shape: S, words: string): zod.ZodObject<S>;
  /** A flag that accepts only this value, which is the behaviour here; the other value is refused with the reason. */
  only(value: boolean, why: string): zod.ZodOptional<Schema<boolean>>;
  /** An option of Camel that is accepted without effect, for this reason; the check warns where it is given. */
  idle<T>(slot: (words: string) => Schema<T>, why: string): zod.ZodOptional<Schema<T>>;
  /** An option of Camel that is refused, for this reason; `unless` it has the value that is Camel's own default. */
  refused(reason: string, unless?: string): zod.ZodOptional<Schema<never>>;
}

export type OptionsOf<S extends zod.ZodType> = zod.output<S>;
export type OptionsSchema = zod.ZodObject;
export type DefineOptions<S extends OptionsSchema> = (z: Z, slots: Slots) => S;

/** `set-body` -> `setBody` */
export function toCamelCase(key: string): string {
  return key.replaceAll(/-([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
