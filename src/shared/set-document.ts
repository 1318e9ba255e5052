/** How a check thread hands on the body of a deployment: parsed, with the long texts apart. */
import type { ErrorCode } from "./errors.ts";

export interface SplitRequest {
  /** JSON. */
  readonly body: Uint8Array;
  /** The most bytes of a mapping's document. */
  readonly mappingBytes: number;
  /** The most bytes of everything but YAML and the documents of mappings. */
  readonly restBytes: number;
}

export type SplitResult =
  | { readonly problem: string; readonly code: ErrorCode }
  | {
      /** The body without the documents of its mappings. */
      readonly rest: unknown;
      /** These documents as JSON, in the order of `mappings`. */
      readonly documents: readonly Uint8Array[];
    };
