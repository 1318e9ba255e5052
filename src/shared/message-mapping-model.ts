/** A message mapping that has been checked, as plain data: what `MappingData.data` holds as JSON (UTF-8). */
import { parseExactly } from "./exact-json.ts";

/** What becomes of a target whose expression gives nothing and that has no default: it is left out, set to null, or a failure. */
export const onMissingModes = ["omit", "null", "error"] as const;
/** What becomes of a rule that fails: the mapping fails, the target is null, or it is left out and the failure is listed. */
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
  /** Unique in the mapping; a rule that the document gives none is called after its place: `r3`, `r3.2`. */
  readonly id: string;
  /** The name in errors: the nearest id that the document gives, or `id` where there is none. */
  readonly name: string;
  /** Steps from the result, or in a nested rule from its item, to the target; none: the whole. `-` appends to a list. */
  readonly target: readonly string[];
  /** JSONata. With `forEach`: of each element of the list, in place of `rules`. */
  readonly expr?: string;
  /** JSONata: the items, each the input of `rules` or `expr`; the target is a list. */
  readonly forEach?: string;
  readonly rules?: readonly MappingRule[];
  /** JSONata: the rule is skipped unless it holds. */
  readonly when?: string;
  /** In place of what is missing. */
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
  /** Narrower than the flow's, of which they are the most. */
  readonly limits: {
    /** The whole mapping, in milliseconds. */
    readonly timeoutMs?: number;
    /** Functions inside each other. */
    readonly maxDepth?: number;
    /** Elements of a list that an expression makes. */
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
