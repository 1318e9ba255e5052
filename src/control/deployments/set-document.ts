/** A set of flows, mappings, policies and connections that is deployed together, as it was sent, and what a deployment of it answers. */
import type { Fields } from "../../shared/document-fields.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import type { PolicyDocument } from "../access/planned-policy.ts";
import type { FlowOptions } from "../stores/flow-options.ts";

/** Which version a part replaces, as the headers of its PUT say it; without them any. */
export interface PartConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface SetFlow extends PartConditions {
  readonly id: string;
  readonly yaml: string;
  /** All of them: an option that is left out is not set afterwards. */
  readonly options: FlowOptions;
}

export interface SetMapping extends PartConditions {
  readonly kind: MappingKind;
  readonly id: string;
  /** JSON. */
  readonly bytes: Uint8Array;
}

export interface SetConnection {
  readonly name: string;
  readonly document: Fields;
}

export interface SetPolicy {
  readonly flowId: string;
  /** null: the flow is to have no policy. */
  readonly document: PolicyDocument | null;
}

export interface SetDocument {
  /** undefined: each part stays of the set that brought it, if any. */
  readonly set: string | undefined;
  readonly flows: readonly SetFlow[];
  readonly mappings: readonly SetMapping[];
  readonly policies: readonly SetPolicy[];
  readonly connections: readonly SetConnection[];
}

export interface SetOptions {
  readonly dryRun: boolean;
  /** Removes what an earlier deployment of the set has brought and this one does not have. */
  readonly prune: boolean;
  /** What the flows that are removed keep between messages stays. */
  readonly keepState: boolean;
  /** The number of removals that the caller expects; needed for more than ten. */
  readonly expectRemovals: number | undefined;
  /** Refuses mappings and policies with warnings. */
  readonly strict: boolean;
  /** The caller, as the audit log names it. */
  readonly actor: string;
}

type Action = "create" | "replace" | "unchanged" | "remove";

export interface SetWarning {
  readonly code: string;
  readonly message: string;
  readonly line?: number | null;
  readonly column?: number | null;
}

interface Outcome {
  readonly action: Action;
  /** 0 in a dry run for what would be created. */
  readonly revision: number;
  readonly warnings: readonly SetWarning[];
  /** A unified diff; only in a dry run, and only of what changes. */
  readonly diff?: string;
}

export interface FlowOutcome extends Outcome {
  readonly id: string;
  readonly hash: string;
}

export interface MappingOutcome extends Outcome {
  readonly kind: MappingKind;
  readonly id: string;
}

export interface PolicyOutcome extends Outcome {
  readonly flowId: string;
}

export interface ConnectionOutcome extends Outcome {
  readonly name: string;
}

export interface SetAnswer {
  readonly set?: string;
  readonly dryRun: boolean;
  /** false: everything was as the set has it. */
  readonly changed: boolean;
  /** In the order in which they are put into service, what is removed last. */
  readonly flows: readonly FlowOutcome[];
  readonly mappings: readonly MappingOutcome[];
  readonly policies: readonly PolicyOutcome[];
  readonly connections: readonly ConnectionOutcome[];
  /** Of the set as a whole. */
  readonly warnings: readonly SetWarning[];
}

/** The body of a deployment, as a check thread has split it. */
export interface SplitSet {
  /** The body without the documents of its mappings. */
  readonly rest: unknown;
  /** These documents as JSON, in the order of `mappings`. */
  readonly documents: readonly Uint8Array[];
}

export interface SetService {
  /** Parses the body. Throws AppErrors: bad_json, bad_request, body_too_large. */
  split(body: Uint8Array): Promise<SplitSet>;
  /** Throws AppErrors: those of each part that does not pass, removals_refused, disk_full, ... */
  deploy(document: SetDocument, options: SetOptions): Promise<SetAnswer>;
}
