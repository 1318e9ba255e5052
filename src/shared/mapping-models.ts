/**
 * Checked mappings as plain data. `MappingData.data` of a message mapping is this model as JSON in UTF-8; of a value
 * mapping it is a table built from it.
 */
import { parseExactly } from "./exact-json.ts";
import type { MissingMode } from "./value-lookup.ts";

/**
 * The behaviour for a target without a default whose expression yields no value: leave it out, set it to null, or fail.
 */
export const onMissingModes = ["omit", "null", "error"] as const;
/** The behaviour when a rule fails: fail the mapping, set the target to null, or leave it out and list the failure. */
export const onErrorModes = ["fail", "null", "collect"] as const;
export const validateModes = ["off", "warn", "fail"] as const;
export const mappingFormats = ["json", "xml"] as const;

export type OnMissing = (typeof onMissingModes)[number];
export type OnError = (typeof onErrorModes)[number];
export type ValidateMode = (typeof validateModes)[number];
export type MappingFormat = (typeof mappingFormats)[number];

/** A JSON Schema: an object, or true or false. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

export interface MappingRule {
  /** Unique in the mapping; a rule without an id in the document is named by its position: `r3`, `r3.2`. */
  readonly id: string;
  /** The name for errors: the nearest id in the document, else `id`. */
  readonly name: string;
  /**
   * Steps to the target from the result, or for a nested rule from its item; no steps: the whole. `-` appends to a
   * list.
   */
  readonly target: readonly string[];
  /** JSONata. With `forEach` it replaces `rules` and is evaluated for each element of the list. */
  readonly expr?: string;
  /** JSONata that yields the items, each the input of `rules` or `expr`; the target is a list. */
  readonly forEach?: string;
  readonly rules?: readonly MappingRule[];
  /** JSONata; the rule is skipped when it does not hold. */
  readonly when?: string;
  /** The value for an expression without a result. */
  readonly default?: unknown;
  readonly required?: boolean;
}

export interface MessageMappingModel {
  /** Present: the document could not be read, and the mapping fails with this text. */
  readonly notUnderstood?: string;
  readonly source: { readonly format: MappingFormat };
  readonly target: { readonly format: MappingFormat; readonly schema?: JsonSchema; readonly validate: ValidateMode };
  readonly rules: readonly MappingRule[];
  readonly onMissing: OnMissing;
  readonly onError: OnError;
  /** Limits that are stricter than the flow's. */
  readonly limits: {
    /** The CPU time for the whole mapping, in milliseconds. */
    readonly timeoutMs?: number;
    /** The depth of nested function calls. */
    readonly maxDepth?: number;
    /** The most elements of a list that an expression makes. */
    readonly maxSequence?: number;
  };
}

export function writeModel(model: MessageMappingModel): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(model));
}

export function readModel(data: Uint8Array): MessageMappingModel {
  return parseExactly(new TextDecoder().decode(data)) as MessageMappingModel;
}

/** RFC 6901: `/order/lines/0`; "" for the whole. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export type Scalar = string | number | bigint | boolean | null;

export interface ValueRow {
  /** The values of each column, which are synonyms with the primary one first; empty: the row has no value there. */
  readonly cells: readonly (readonly Scalar[])[];
  /** The row counts only if the caller's qualifiers have all these values. */
  readonly when?: ReadonlyMap<string, Scalar> | undefined;
}

export interface MissingRule {
  readonly onMissing?: MissingMode | undefined;
  readonly default?: Scalar | undefined;
}

export interface LookupRule extends MissingRule {
  readonly from: string;
  readonly to: string;
}

export interface ValueMappingModel extends MissingRule {
  readonly columns: readonly string[];
  readonly rows: readonly ValueRow[];
  readonly caseSensitive: boolean;
  readonly trim: boolean;
  /** true: 1 and "1" differ; false: values are compared as text. */
  readonly typed: boolean;
  /** true: lookups begin in the first column only. */
  readonly oneWay: boolean;
  readonly lookups: readonly LookupRule[];
  /** Present: the document could not be read, and every lookup fails with this text. */
  readonly notUnderstood?: string | undefined;
}

/** The most characters of a value in a cell. */
export const longestValue = 8192;
/** The most different sets of qualifier names in a mapping, including the empty one: a lookup tries each. */
export const mostQualifierSets = 16;
