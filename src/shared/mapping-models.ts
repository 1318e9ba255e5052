/** Checked mappings as plain data: of a message mapping `MappingData.data` holds it as JSON (UTF-8), of a value mapping a table is built from it. */
import { parseExactly } from "./exact-json.ts";
import type { MissingMode } from "./value-lookup.ts";

/**
 * What happens to a target whose expression yields nothing and that has no default: it is left out, set to null, or a
 * failure.
 */
export const onMissingModes = ["omit", "null", "error"] as const;
/**
 * What happens when a rule fails: the mapping fails, the target is null, or it is left out and the failure is listed.
 */
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
  /** Unique in the mapping; a rule without an id in the document is named by its place: `r3`, `r3.2`. */
  readonly id: string;
  /** The name in errors: the nearest id in the document, or `id` where there is none. */
  readonly name: string;
  /**
   * Steps from the result, or in a nested rule from its item, to the target; none: the whole. `-` appends to a list.
   */
  readonly target: readonly string[];
  /** JSONata. With `forEach` it is evaluated for each element of the list, in place of `rules`. */
  readonly expr?: string;
  /** JSONata: the items, each the input of `rules` or `expr`; the target is a list. */
  readonly forEach?: string;
  readonly rules?: readonly MappingRule[];
  /** JSONata: the rule is skipped unless it holds. */
  readonly when?: string;
  /** The value for a missing result. */
  readonly default?: unknown;
  readonly required?: boolean;
}

export interface MessageMappingModel {
  /** Present: the document was not understood; the mapping fails with this text. */
  readonly notUnderstood?: string;
  readonly source: { readonly format: MappingFormat };
  readonly target: { readonly format: MappingFormat; readonly schema?: JsonSchema; readonly validate: ValidateMode };
  readonly rules: readonly MappingRule[];
  readonly onMissing: OnMissing;
  readonly onError: OnError;
  /** Limits within those of the flow. */
  readonly limits: {
    /** The time for the whole mapping, in milliseconds. */
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
  /** For each column its values, which all mean the same, the primary one first; empty: the row has none there. */
  readonly cells: readonly (readonly Scalar[])[];
  /** The row counts only where the caller's qualifiers have all these values. */
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
  /** 1 and "1" are two values; otherwise values are compared by their text. */
  readonly typed: boolean;
  /** Lookups begin in the first column only. */
  readonly oneWay: boolean;
  readonly lookups: readonly LookupRule[];
  /** Why the document was not understood: every lookup fails with this text. */
  readonly notUnderstood?: string | undefined;
}

/** The most characters of a value in a cell. */
export const longestValue = 8192;
/** How many different sets of qualifier names a mapping may have, the empty one included: a lookup probes each. */
export const mostQualifierSets = 16;
