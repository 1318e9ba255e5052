/**
 * The parts of which options schemas are made. `z` and the slots are given to each definition, never imported by it:
 * check threads give schemas that read YAML, `describe` gives schemas that print as JSON Schema, flow threads give none.
 */

import type { z as zod } from "zod";
import type { EndpointModel, ExpressionModel, FormatModel, StepModel } from "../../shared/flow-model.ts";

export type Z = typeof zod;
type Schema<T> = zod.ZodType<T>;

/**
 * YAML scalars reach a schema as text, whatever their YAML type (Camel converts text too); the slots convert.
 * `words`: what the option does, for those who fill it in: one or two short sentences, with its unit, with what its default leads to
 * where that is not plain, with an example where the form is not. The catalogue, the editors' schema and the reference print them.
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
  /** A value-giving expression in any of Camel's four spellings; inline languages of the same map count. */
  expression(words: string): Schema<ExpressionModel>;
  /** The same for a condition: texts in `simple` follow the predicate grammar. */
  predicate(words: string): Schema<ExpressionModel>;
  /** Text that is a `simple` template: a log message, a header's name. */
  template(words: string): Schema<ExpressionModel>;
  /** A list of steps. */
  steps(words: string): Schema<readonly StepModel[]>;
  /** `uri` and `parameters` of the same map as one endpoint that a producer is made of; the words are the `uri`'s. */
  endpoint(words: string): Schema<EndpointModel>;
  /** The one key of the same map that names a data format: `json: {prettyPrint: true}`, `json: Jackson`, `json: {}`. */
  dataFormat(words: string): Schema<FormatModel>;
  /** Text that is the URI of an endpoint that a producer is made of. */
  uri(words: string): Schema<EndpointModel>;
  /** A map inside a step's options (`when`, an entry of `setHeaders`) that may hold an inline expression and steps. */
  clause<S extends zod.ZodRawShape>(shape: S, words: string): zod.ZodObject<S>;
  /** A flag that may be given with this one value, which is what happens anyway; the other one is refused with the reason. */
  only(value: boolean, why: string): zod.ZodOptional<Schema<boolean>>;
  /** An option of Camel that is taken and changes nothing, with the reason: the check warns where it is given. */
  idle<T>(slot: (words: string) => Schema<T>, why: string): zod.ZodOptional<Schema<T>>;
  /** An option of Camel that is refused when given, with the reason; `unless` it is given the value that it has in Camel anyway. */
  refused(reason: string, unless?: string): zod.ZodOptional<Schema<never>>;
}

export type OptionsOf<S extends zod.ZodType> = zod.output<S>;
export type OptionsSchema = zod.ZodObject;
export type DefineOptions<S extends OptionsSchema> = (z: Z, slots: Slots) => S;

/** `set-body` -> `setBody` */
export function toCamelCase(key: string): string {
  return key.replaceAll(/-([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
