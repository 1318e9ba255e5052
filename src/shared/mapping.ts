/** Value mappings and message mappings as control, check threads and flow threads exchange them. */
import type { Limits } from "./limits.ts";

export const mappingKinds = ["value", "message"] as const;
export type MappingKind = (typeof mappingKinds)[number];

export interface MappingKey {
  readonly kind: MappingKind;
  readonly id: string;
}

/** One version of a mapping. */
export interface MappingVersion extends MappingKey {
  /** Begins at 1 and never restarts. */
  readonly revision: number;
  /** Lower-case hexadecimal SHA-256 of the document as it is kept. */
  readonly hash: string;
}

/** A mapping as threads have it. */
export interface MappingData extends MappingVersion {
  /**
   * value: a table as `value-table.ts` reads it; message: a MessageMappingModel as JSON in UTF-8. Each thread has a
   * copy of its own.
   */
  readonly data: Uint8Array;
}

/** A step of a flow that uses a mapping. */
export interface MappingUse {
  readonly kind: MappingKind;
  readonly id: string;
  readonly routeId: string;
  readonly stepId: string;
}

/** A check thread's task: whether a document is a mapping, and what threads need of it. */
export interface MappingCheckRequest {
  readonly kind: MappingKind;
  readonly id: string;
  readonly media: "json" | "csv";
  /** The document as it was sent. */
  readonly document: Uint8Array;
  /** The value mappings that a message mapping's tests may use; the result's `needs` names missing ones. */
  readonly tables: readonly MappingData[];
  /** Value mappings that do not exist: the result warns of them. */
  readonly absent: readonly string[];
  /**
   * true: the mapping was accepted before and is loaded again. The tables may have changed since, so a failing test is
   * only a warning.
   */
  readonly stored?: boolean;
  readonly limits: Limits;
}

export interface MappingWarning {
  readonly code: string;
  readonly message: string;
}

export interface MappingTests {
  readonly passed: number;
  readonly failed: number;
}

/** Facts about an accepted mapping. */
export interface MappingFacts {
  /** "" when the document has none. */
  readonly name: string;
  /** true: the document has `shared: true`: flows of every group may use it. */
  readonly shared: boolean;
  /** For a value mapping: its rows. */
  readonly rows?: number;
  readonly columns?: readonly string[];
  /**
   * For a message mapping: its rules, nested ones included; those that never enter the interpreter; those that no test
   * reaches.
   */
  readonly rules?: number;
  readonly compiledRules?: number;
  readonly untestedRules?: readonly string[];
  readonly tests: MappingTests;
  /** Ids of the value mappings that a message mapping uses. */
  readonly uses: readonly string[];
}

export type MappingCheckResult =
  /** The caller asks again with these value mappings among `tables`, or in `absent`. */
  | { readonly needs: readonly string[] }
  /** Each problem says what is wrong, where (JSON pointer, or line and column), and what to do. */
  | { readonly problems: readonly string[] /** The body is no JSON at all: bad_json. */; readonly malformed?: boolean }
  | {
      readonly facts: MappingFacts;
      readonly warnings: readonly MappingWarning[];
      readonly data: Uint8Array;
      /** The JSON to store in place of the document, for a CSV import. */
      readonly kept?: string;
    };

/** A trial of a message mapping (`POST /_api/message-mappings/:id/test`). */
export interface MappingTrialRequest {
  readonly mapping: MappingData;
  readonly tables: readonly MappingData[];
  /** The request's body as it was sent: `{"input": ...}`. */
  readonly body: Uint8Array;
  readonly limits: Limits;
}

/** The answer's JSON text, or what is wrong with the request. */
export type MappingTrialResult =
  | { readonly answer: string }
  | { readonly problem: string /** The body is no JSON at all: bad_json. */; readonly malformed?: true };
