/** The interface of mappings for the management API, and the documents that it answers with. */
import type { LookupAnswer, LookupRequest } from "../../shared/look-up.ts";
import type { MappingKind, MappingTests, MappingWarning } from "../../shared/mapping.ts";
import type { StoredDocument } from "../stores/documents.ts";

/** Who uses a mapping: a step of a live flow, or a message mapping that looks values up. */
export type MappingUser = MappingStepUser | MappingMappingUser;

interface MappingStepUser {
  readonly flowId: string;
  readonly routeId: string;
  readonly stepId: string;
}

/** A message mapping. */
interface MappingMappingUser {
  readonly mapping: string;
}

/** An entry of a list. Fields of a broken mapping that are not known are "" or 0. */
export interface MappingSummary {
  readonly id: string;
  readonly name: string;
  readonly lastModified: string;
  readonly hash: string;
  /** Only for a value mapping. */
  readonly rows?: number;
  readonly columns?: readonly string[];
  /** Only for a message mapping. */
  readonly rules?: number;
  readonly usedBy: readonly MappingUser[];
  /** Present when no run can use the mapping: the reason. */
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
  /** Refuses a document with warnings (mapping_invalid). */
  readonly strict?: boolean | undefined;
}

export interface RemoveMappingOptions extends MappingConditions {
  /** Removes the mapping even if it is in use. */
  readonly force?: boolean | undefined;
}

export interface PutMappingAnswer {
  readonly id: string;
  readonly hash: string;
  readonly revision: number;
  readonly rows?: number;
  readonly columns?: readonly string[];
  readonly rules?: number;
  /** The number of rules that never enter the interpreter of JSONata. */
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

/** Errors are AppErrors: not_found, mapping_invalid, mapping_in_use, precondition_failed, disk_full, store_failed, draining, ... */
export interface MappingService {
  list(kind: MappingKind): Promise<readonly MappingSummary[]>;
  /** Returns the document as it was sent; a CSV import was converted to JSON. */
  get(kind: MappingKind, id: string): Promise<StoredDocument>;
  put(kind: MappingKind, id: string, body: MappingBody, options: PutMappingOptions): Promise<PutMapping>;
  remove(kind: MappingKind, id: string, options: RemoveMappingOptions): Promise<void>;
  lookup(id: string, request: LookupRequest): Promise<LookupAnswer>;
  /** Checks a value mapping's document without installing it, and looks a value up in it; returns JSON. */
  tryValues(id: string, body: Uint8Array): Promise<string>;
  /** Maps a message of the caller with a message mapping, or with a document that comes with it; returns JSON. */
  try(id: string, body: Uint8Array): Promise<string>;
  exportCsv(id: string): Promise<{ readonly document: StoredDocument; readonly csv: string }>;
}
