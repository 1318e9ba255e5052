/** What the management API asks of mappings. */
import type { MappingKind, MappingTests, MappingWarning } from "../../shared/mapping.ts";
import type { LookupOptions } from "../../shared/value-lookup.ts";
import type { StoredDocument } from "../stores/documents.ts";

/** Who uses a mapping: a step of a live flow, or a message mapping that looks values up. */
export type MappingUser = MappingStepUser | MappingMappingUser;

interface MappingStepUser {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
}

/** A message mapping. */
export interface MappingMappingUser {
  readonly mapping: string;
}

/** An entry of a list. Of a broken one what is not known is "" or 0. */
export interface MappingSummary {
  readonly id: string;
  readonly name: string;
  readonly lastModified: string;
  readonly hash: string;
  /** Of a value mapping. */
  readonly rows?: number;
  readonly columns?: readonly string[];
  /** Of a message mapping. */
  readonly rules?: number;
  /** Why no run can use it. */
  readonly error?: string;
}

export interface MappingBody {
  readonly media: "json" | "csv";
  readonly bytes: Uint8Array;
}

export interface MappingConditions {
  /** `If-Match` / `If-None-Match` as sent. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PutMappingOptions extends MappingConditions {
  /** Refuses (mapping_invalid) what has warnings. */
  readonly strict?: boolean | undefined;
}

export interface RemoveMappingOptions extends MappingConditions {
  /** Although it is in use. */
  readonly force?: boolean | undefined;
}

export interface PutMappingAnswer {
  readonly id: string;
  readonly hash: string;
  readonly revision: number;
  readonly rows?: number;
  readonly columns?: readonly string[];
  readonly rules?: number;
  /** Rules that never enter the interpreter of JSONata. */
  readonly compiledRules?: number;
  readonly untestedRules?: readonly string[];
  /** Value mappings that a message mapping uses. */
  readonly uses?: readonly string[];
  readonly tests: MappingTests;
  readonly usedBy: readonly MappingUser[];
  readonly warnings: readonly MappingWarning[];
}

export interface PutMapping extends PutMappingAnswer {
  readonly created: boolean;
}

export interface LookupRequest extends LookupOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly value: unknown;
}

export interface LookupAnswer {
  readonly value: unknown;
  /** false: the value is not in the mapping, and `value` is what is given in its place. */
  readonly found: boolean;
  /** What a run would fail with. */
  readonly error?: string;
}

/** Errors are AppErrors: not_found, mapping_invalid, mapping_in_use, precondition_failed, disk_full, store_failed, draining, ... */
export interface MappingService {
  list(kind: MappingKind): Promise<readonly MappingSummary[]>;
  /** The document as it was sent; of a CSV import the JSON that was made of it. */
  get(kind: MappingKind, id: string): Promise<StoredDocument>;
  put(kind: MappingKind, id: string, body: MappingBody, options: PutMappingOptions): Promise<PutMapping>;
  remove(kind: MappingKind, id: string, options: RemoveMappingOptions): Promise<void>;
  lookup(id: string, request: LookupRequest): Promise<LookupAnswer>;
  /** A message mapping with a message of the caller's; the answer is JSON. */
  try(id: string, body: Uint8Array): Promise<string>;
  exportCsv(id: string): Promise<{ readonly document: StoredDocument; readonly csv: string }>;
}
