/**
 * Value mappings and message mappings as control, check threads and flow threads exchange them. Named connections
 * (connection.ts) reach flow threads in the same way.
 */
import type { Limits } from "./limits.ts";

export const mappingKinds = ["value", "message"] as const;
export type MappingKind = (typeof mappingKinds)[number];

export interface MappingKey {
  readonly kind: MappingKind;
  readonly id: string;
}

/** One version of a mapping. */
export interface MappingVersion extends MappingKey {
  /** Begins at 1 and never decreases. */
  readonly revision: number;
  /** Lower-case hexadecimal SHA-256 of the stored document. */
  readonly hash: string;
}

/** A mapping as it is sent to threads. */
export interface MappingData extends MappingVersion {
  /**
   * For a value mapping a table that `value-table.ts` reads; for a message mapping a MessageMappingModel as JSON in
   * UTF-8. Each thread has its own copy.
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

/** What a thread is given beside its flow, and again when it changes: mappings and named connections. */
export type ResourceKind = MappingKind | "connection";

export interface ResourceKey {
  readonly kind: ResourceKind;
  /** Of a connection: as its flow's manifest names it (`ConnectionUse`). */
  readonly id: string;
}

export interface ResourceVersion extends ResourceKey {
  readonly revision: number;
  readonly hash: string;
}

export interface ResourceData extends ResourceVersion {
  /** Of a mapping as in MappingData; of a connection a ConnectionModel as JSON in UTF-8. */
  readonly data: Uint8Array;
}

export function isMapping<Key extends ResourceKey>(key: Key): key is Key & { readonly kind: MappingKind } {
  return key.kind !== "connection";
}

/** A task for a check thread: check a mapping's document and return the data for threads. */
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
   * true: the mapping was accepted before and is loaded again. Its tables may have changed, so a failing test is only a
   * warning.
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
   * For a message mapping: the number of rules with nested ones, of rules that never use the interpreter, and of rules
   * that no test reaches.
   */
  readonly rules?: number;
  readonly compiledRules?: number;
  readonly untestedRules?: readonly string[];
  readonly tests: MappingTests;
  /** Ids of the value mappings that a message mapping uses. */
  readonly uses: readonly string[];
}

export type MappingCheckResult =
  /** The caller must ask again with these value mappings in `tables`, or in `absent`. */
  | { readonly needs: readonly string[] }
  /** Each problem names the fault, its place (JSON pointer, or line and column), and the remedy. */
  | {
      readonly problems: readonly string[];
      /** true: the body is not JSON at all (`bad_json`). */
      readonly malformed?: boolean;
    }
  | {
      readonly facts: MappingFacts;
      readonly warnings: readonly MappingWarning[];
      readonly data: Uint8Array;
      /** The JSON that is stored in place of a CSV document. */
      readonly kept?: string;
    };

/** A trial of a message mapping (`POST /_api/message-mappings/:id/test`). */
export interface MappingTrialRequest {
  readonly id: string;
  /** undefined: none is installed, or it cannot be used. The trial then needs a document of its own. */
  readonly mapping: MappingData | undefined;
  /** The value mappings that the trial may use; the result's `needs` names missing ones. */
  readonly tables: readonly MappingData[];
  /** Value mappings that do not exist. */
  readonly absent: readonly string[];
  /** The request's body as it was sent: `{"input": ...}`. */
  readonly body: Uint8Array;
  readonly limits: Limits;
}

/** A trial of a value mapping's document (`POST /_api/value-mappings/:id/test`). */
export interface ValueTrialRequest {
  /** The request's body as it was sent: `{"document": ...}`. */
  readonly body: Uint8Array;
  readonly limits: Limits;
}

/** A text such as JSON or CSV, or the fault of the request. */
export type TextAnswer =
  | { readonly answer: string }
  | { readonly problem: string /** The body is no JSON at all: bad_json. */; readonly malformed?: true };

export type MappingTrialResult =
  | TextAnswer
  /** The caller must ask again with these value mappings in `tables`, or in `absent`. */
  | { readonly needs: readonly string[] }
  /** There is neither a mapping nor a document of the trial's own. */
  | { readonly unknown: true };
