/**
 * The access policies in force, in memory; each is durable before it is in force, and in force before it is
 * acknowledged.
 */
import { AppError } from "../../shared/errors.ts";
import type { DocumentStore, DocumentVersion } from "../stores/documents.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";
import { assertPreconditions } from "../stores/refusals.ts";
import type { Policy } from "./policy.ts";

export type PolicyDocument = Readonly<Record<string, unknown>>;

/** Makes policies of documents. */
export interface PolicyReader {
  /** Returns the document as it is stored: without clear keys. */
  hashKeys(document: PolicyDocument): PolicyDocument;
  /** Never throws: a document that is not understood becomes a policy with `understood: false`. */
  read(flowId: string, document: PolicyDocument): Policy;
  /** The policy in place of a document that cannot be read: it lets only the deploy token in. */
  broken(problem: string): Policy;
  /** Returns the names of a document's principals. */
  names(document: PolicyDocument): readonly string[];
  /** Returns the document as it is shown: secrets are `***`. */
  mask(document: PolicyDocument): PolicyDocument;
}

export interface PolicyConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PutPolicy extends PolicyConditions {
  /** Refuses a document that has warnings (policy_invalid). */
  readonly strict?: boolean | undefined;
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
}

export interface InstalledPolicy extends InForce {
  readonly created: boolean;
}

export class Policies {
  readonly #store: DocumentStore;
  readonly #reader: PolicyReader;
  readonly #removed: (flowId: string) => void;
  readonly #inForce = new Map<string, InForce>();
  readonly #queue = new KeyedQueue();
  readonly #loaded = Promise.withResolvers<void>();
  /** The policy of every flow when the store could not be read, since it is unknown which flows have one. */
  #unknown: Policy | undefined;

  /** `removed` is called when a flow no longer has a policy. */
  constructor(store: DocumentStore, reader: PolicyReader, removed: (flowId: string) => void = () => {}) {
    this.#store = store;
    this.#reader = reader;
    this.#removed = removed;
  }

  /**
   * Called once, at boot, before any flow serves. Fails closed: a document that cannot be read lets only the deploy
   * token in, and so do all flows when none can be read. Returns what the operator should know.
   */
  async load(): Promise<readonly { readonly flowId?: string; readonly problem: string }[]> {
    try {
      const { documents, broken } = await this.#store.load();
      const problems = documents.flatMap(({ id, hash, revision, text }) => this.#install(id, text, { hash, revision }));
      for (const { id, problem } of broken) this.#setBroken(id, problem);
      return [...problems, ...broken.map(({ id, problem }) => ({ flowId: id, problem: unreadableProblem(problem) }))];
    } catch (error) {
      this.#unknown = this.#reader.broken("the policies could not be read");
      const cause = error instanceof Error ? error.message : String(error);
      return [{ problem: `the access policies could not be read, so every flow is closed: ${cause}` }];
    } finally {
      this.#loaded.resolve();
    }
  }

  /** Returns the flow's policy; undefined: the flow is open. */
  get(flowId: string): Policy | undefined {
    return this.#inForce.get(flowId)?.policy ?? this.#unknown;
  }

  /** Throws not_found, and store_failed when it is unknown whether there is a policy. */
  async find(flowId: string): Promise<InForce> {
    await this.#loaded.promise;
    this.#refuseUnknown();
    const found = this.#inForce.get(flowId);
    if (found === undefined) throw missingError(flowId);
    return found;
  }

  mask(document: PolicyDocument): PolicyDocument {
    return this.#reader.mask(document);
  }

  /**
   * Throws policy_invalid (strict), precondition_failed, and the store's errors; then the previous policy stays in
   * force.
   */
  put(
    flowId: string,
    sent: PolicyDocument,
    { strict, ifMatch, ifNoneMatch }: PutPolicy = {},
  ): Promise<InstalledPolicy> {
    return this.#change(flowId, async () => {
      const before = this.#inForce.get(flowId);
      assertPreconditions(before, ifMatch, ifNoneMatch, "policy");
      const document = this.#reader.hashKeys(sent);
      const policy = this.#reader.read(flowId, document);
      if (strict === true && policy.warnings.length > 0) throw invalidError(policy);
      const { hash, revision } = await this.#store.put(flowId, JSON.stringify(document));
      // The policy in force stays: it knows which signatures it has seen.
      if (before?.revision === revision) return { ...before, created: false };
      const now = { policy, document, names: this.#reader.names(document), hash, revision };
      this.#inForce.set(flowId, now);
      return { ...now, created: before === undefined };
    });
  }

  /** Throws not_found, precondition_failed, and the store's errors. */
  async remove(flowId: string, { ifMatch }: PolicyConditions = {}): Promise<void> {
    if (!(await this.#remove(flowId, ifMatch))) throw missingError(flowId);
  }

  /** Removes the policy of a flow that is purged, if it has one. */
  async forget(flowId: string): Promise<void> {
    await this.#remove(flowId, undefined);
  }

  #remove(flowId: string, ifMatch: string | undefined): Promise<boolean> {
    return this.#change(flowId, async () => {
      assertPreconditions(this.#inForce.get(flowId), ifMatch, undefined, "policy");
      const removed = await this.#store.remove(flowId);
      const inForce = this.#inForce.delete(flowId);
      this.#removed(flowId);
      return inForce || removed;
    });
  }

  #change<Result>(flowId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(flowId, async () => {
      await this.#loaded.promise;
      this.#refuseUnknown();
      return work();
    });
  }

  #refuseUnknown(): void {
    if (this.#unknown === undefined) return;
    const message = "the access policies could not be read at the start: mend the disk and restart";
    throw new AppError("store_failed", message);
  }

  #install(
    flowId: string,
    text: string,
    { hash, revision }: Pick<DocumentVersion, "hash" | "revision">,
  ): { readonly flowId: string; readonly problem: string }[] {
    try {
      const document = asDocument(JSON.parse(text));
      const policy = this.#reader.read(flowId, document);
      this.#inForce.set(flowId, { policy, document, names: this.#reader.names(document), hash, revision });
      return policy.understood
        ? []
        : [{ flowId, problem: "its access policy is not understood, so only the deploy token gets in" }];
    } catch {
      this.#setBroken(flowId, "it is no JSON object");
      return [{ flowId, problem: unreadableProblem("it is no JSON object") }];
    }
  }

  #setBroken(flowId: string, problem: string): void {
    const policy = this.#reader.broken(problem);
    this.#inForce.set(flowId, { policy, document: undefined, names: [], hash: "", revision: 0 });
  }
}

function asDocument(value: unknown): PolicyDocument {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("no object");
  return value as PolicyDocument;
}

function unreadableProblem(problem: string): string {
  return `its access policy cannot be read, so only the deploy token gets in: ${problem}`;
}

function missingError(flowId: string): AppError {
  return new AppError("not_found", `the flow '${flowId}' has no access policy`);
}

function invalidError({ warnings }: Policy): AppError {
  return new AppError("policy_invalid", warnings.map(({ code, message }) => `${code}: ${message}`).join("; "));
}
