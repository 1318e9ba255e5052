/** Policies in force, and policies that are checked before they come into force together with something else. */
import { AppError } from "../../shared/errors.ts";
import type { DocumentVersion, DocumentWriter } from "../stores/documents.ts";
import { contentHash } from "../stores/stores.ts";
import type { Policy, PolicyWarning } from "./policy.ts";

export type PolicyDocument = Readonly<Record<string, unknown>>;

/** Makes policies of documents. */
export interface PolicyReader {
  /** Returns the document as it is stored: without clear keys. */
  hashKeys(document: PolicyDocument): PolicyDocument;
  /** Never throws: a document that is not understood becomes a policy with `understood: false`. */
  read(flowId: string, document: PolicyDocument): Policy;
  /** The policy in place of a document that cannot be read: it lets only the deploy token in. */
  broken(problem: string): Policy;
  /** Returns the place (JSON Pointer) of the first key or other secret in clear; undefined: there is none. */
  clearKey(document: PolicyDocument): string | undefined;
  /** Returns the names of a document's principals. */
  names(document: PolicyDocument): readonly string[];
  /** Returns the document as it is shown: secrets are `***`. */
  mask(document: PolicyDocument): PolicyDocument;
}

/** Who wrote a policy last. */
export interface WrittenBy extends DocumentWriter {
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface InForce {
  readonly policy: Policy;
  /** The document without clear keys; undefined: the file is broken. */
  readonly document: PolicyDocument | undefined;
  /** The names of its principals. */
  readonly names: readonly string[];
  /** Hash and revision of the stored document; "" and 0: the file is broken. */
  readonly hash: string;
  readonly revision: number;
  /** undefined: it is not known. */
  readonly writtenBy: WrittenBy | undefined;
  /** The set of the deployment that brought it; undefined: it was not brought by one. */
  readonly set: string | undefined;
}

/** A policy that was checked, and is not in force. */
export interface PlannedPolicy {
  readonly flowId: string;
  /** null: the flow is to have no policy. */
  readonly text: string | null;
  /** The policy as it is; undefined: there is none. */
  readonly before: InForce | undefined;
  /** false: the policy is the one that is in force. */
  readonly changed: boolean;
  readonly warnings: readonly PolicyWarning[];
  /** Puts it in force, in one turn of the event loop. `version`: what the store has made of it; undefined: it was removed. */
  install(version: DocumentVersion | undefined): void;
}

interface PolicyOrder {
  readonly flowId: string;
  /** null: the flow is to have no policy. */
  readonly sent: PolicyDocument | null;
  readonly before: InForce | undefined;
  /** Refuses a document that has warnings. */
  readonly strict: boolean;
}

/** Throws policy_invalid for keys in clear, and with `strict` for warnings. `set` puts a policy in force; undefined: removes it. */
export function planPolicy(
  reader: PolicyReader,
  { flowId, sent, before, strict }: PolicyOrder,
  set: (now: InForce | undefined) => void,
): PlannedPolicy {
  if (sent === null) {
    const install = (): void => set(undefined);
    return { flowId, text: null, before, changed: before !== undefined, warnings: [], install };
  }
  const clear = reader.clearKey(sent);
  if (clear !== undefined) throw clearKeyError(flowId, clear);
  const policy = reader.read(flowId, sent);
  if (strict && policy.warnings.length > 0) throw invalidError(policy);
  const names = reader.names(sent);
  const text = JSON.stringify(sent);
  const install = (version: DocumentVersion | undefined): void => {
    if (version === undefined) return;
    // The policy in force stays: it knows which signatures it has seen.
    const same = before !== undefined && version.revision === before.revision;
    set(inForceOf(same ? before.policy : policy, sent, names, version));
  };
  const changed = before?.document === undefined || contentHash(text) !== before.hash;
  return { flowId, text, before, changed, warnings: policy.warnings, install };
}

export function inForceOf(
  policy: Policy,
  document: PolicyDocument,
  names: readonly string[],
  { hash, revision, by, set, lastModified }: DocumentVersion,
): InForce {
  return { policy, document, names, hash, revision, writtenBy: by && { ...by, at: lastModified }, set };
}

function clearKeyError(flowId: string, pointer: string): AppError {
  return new AppError(
    "policy_invalid",
    `the policy of '${flowId}' has a key in clear at ${pointer}, and this document may be read by others: write "sha256" with ` +
      `the key's SHA-256 in hexadecimal in place of "key", and "secretRef" with the name of a secret in place of a secret`,
  );
}

export function invalidError({ warnings }: Policy): AppError {
  return new AppError("policy_invalid", warnings.map(({ code, message }) => `${code}: ${message}`).join("; "));
}
