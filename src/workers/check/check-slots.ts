/**
 * The slots that check threads pass to option schemas: marks that the check recognizes, and tests of converted values.
 */
import { z } from "zod";
import type {
  EndpointModel,
  ExpressionModel,
  FormatModel,
  ProcessorModel,
  StepModel,
} from "../../shared/flow-model.ts";
import type { Slots } from "../engine/slots.ts";

export type Schema = z.core.$ZodType;

type Plain<Kind> = Kind extends string ? { readonly kind: Kind } : never;

export type Slot =
  | Plain<
      | "text"
      | "flag"
      | "integer"
      | "duration"
      | "expression"
      | "predicate"
      | "template"
      | "steps"
      | "endpoint"
      | "polled"
      | "uri"
      | "processor"
      | "dataFormat"
    >
  | { readonly kind: "oneOf"; readonly values: readonly string[] }
  | { readonly kind: "refused"; readonly reason: string; readonly unless?: string | undefined };

const marks = new WeakMap<Schema, Slot>();
const clauses = new WeakSet<Schema>();
const idles = new WeakMap<Schema, string>();

/** Makes a separate schema for each option, with its words; `proof` tests a value that the check has converted. */
function slot<T>(mark: Slot, words: string | undefined, proof: (value: unknown) => boolean): z.ZodType<T> {
  const schema = z.custom<T>(proof);
  marks.set(schema, mark);
  return words === undefined ? schema : schema.describe(words);
}

/** The check converts values before zod sees them: zod only tests them, fills in defaults and runs refinements. */
export const checkSlots: Slots = {
  text: (words) => slot<string>({ kind: "text" }, words, (value) => typeof value === "string"),
  flag,
  integer: (words) => slot<number>({ kind: "integer" }, words, (value) => typeof value === "number"),
  duration: (words) => slot<number>({ kind: "duration" }, words, (value) => typeof value === "number"),
  oneOf: <const T extends string>(values: readonly T[], words: string) =>
    slot<T>({ kind: "oneOf", values }, words, (value) => typeof value === "string"),
  expression: (words) => slot<ExpressionModel>({ kind: "expression" }, words, isObject),
  predicate: (words) => slot<ExpressionModel>({ kind: "predicate" }, words, isObject),
  template: (words) => slot<ExpressionModel>({ kind: "template" }, words, isObject),
  steps: (words) => slot<readonly StepModel[]>({ kind: "steps" }, words, Array.isArray),
  endpoint: (words) => slot<EndpointModel>({ kind: "endpoint" }, words, isObject),
  polled: (words) => slot<EndpointModel | ExpressionModel>({ kind: "polled" }, words, isObject),
  dataFormat: (words) => slot<FormatModel>({ kind: "dataFormat" }, words, isObject),
  uri: (words) => slot<EndpointModel>({ kind: "uri" }, words, isObject),
  processor: (words) => slot<ProcessorModel>({ kind: "processor" }, words, isObject),
  clause(shape, words) {
    const schema = z.object(shape);
    clauses.add(schema);
    return schema.describe(words);
  },
  only: (value, why) =>
    flag(onlyPossible(value, why))
      .refine((on) => on === value, why)
      .optional(),
  idle(slotOf, why) {
    const described = slotOf(`No effect: ${why}.`);
    idles.set(described, why);
    return described.optional();
  },
  refused(reason, unless) {
    const words = unless === undefined ? undefined : onlyPossible(unless, reason);
    return slot<never>({ kind: "refused", reason, unless }, words, () => false).optional();
  },
};

function flag(words: string): z.ZodType<boolean> {
  return slot<boolean>({ kind: "flag" }, words, (value) => typeof value === "boolean");
}

function onlyPossible(value: string | boolean, why: string): string {
  return `Only \`${value}\` is possible; ${why}.`;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Returns why an option has no effect; undefined for one that has. */
export function idleReason(schema: Schema): string | undefined {
  return idles.get(unwrap(schema));
}

/** Returns the slot of a schema, also after `.describe()` or `.refine()`, which copy it. */
export function slotOf(schema: Schema): Slot | undefined {
  for (let at: Schema | undefined = schema; at !== undefined; at = at._zod.parent) {
    const slot = marks.get(at);
    if (slot !== undefined) return slot;
  }
  return undefined;
}

export function isClause(schema: Schema): boolean {
  for (let at: Schema | undefined = schema; at !== undefined; at = at._zod.parent) if (clauses.has(at)) return true;
  return false;
}

/** Returns the schema inside `.optional()`, `.default()`, `.transform()` and similar wrappers. */
export function unwrap(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return unwrap(schema.unwrap());
  }
  return schema;
}

export function isRequired(schema: Schema): boolean {
  return schema._zod.optin === undefined;
}

/** The options of a map that other keys of the map fill. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Schema>;
  /**
   * The option that inline languages and `expression:` of the same map fill: the first bare expression slot, or an
   * optional one with the name `expression`.
   */
  readonly inline?: { readonly key: string; readonly kind: "expression" | "predicate"; readonly optional: boolean };
  /** The option that `uri` and `parameters` of the same map fill. */
  readonly endpoint?: string;
  /** true: that endpoint is polled. */
  readonly polled?: boolean;
  /** The option that the key of a data format fills. */
  readonly format?: string;
}

const shapes = new WeakMap<Schema, Shape>();

export function shapeOf(schema: z.ZodObject): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const properties = new Map<string, Schema>(Object.entries(schema.shape));
  let inline: Shape["inline"];
  let endpoint: string | undefined;
  let polled = false;
  let format: string | undefined;
  for (const [key, property] of properties) {
    const kind = slotOf(key === "expression" ? unwrap(property) : property)?.kind;
    if (inline === undefined && (kind === "expression" || kind === "predicate")) {
      inline = { key, kind, optional: !isRequired(property) };
    }
    const slot = slotOf(unwrap(property))?.kind;
    if (slot === "endpoint" || slot === "polled") {
      endpoint ??= key;
      polled ||= slot === "polled";
    }
    if (kind === "dataFormat") format ??= key;
  }
  const shape: Shape = {
    properties,
    ...(inline && { inline }),
    ...(endpoint !== undefined && { endpoint, polled }),
    ...(format !== undefined && { format }),
  };
  shapes.set(schema, shape);
  return shape;
}
