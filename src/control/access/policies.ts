/** The access policies in force, in memory; each is durable before it is in force, and in force before it is acknowledged. */
import { AppError } from "../../shared/errors.ts";
import type { DocumentStore, DocumentVersion } from "../stores/documents.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";
import { assertPreconditions } from "../stores/preconditions.ts";
import type { Policy } from "./policy.ts";

export type PolicyDocument = Readonly<Record<string, unknown>>;

/** How documents become policies. */
export interface PolicyReader {
  /** The document as it is kept: without a key in clear. */
  hashKeys(document: PolicyDocument): PolicyDocument;
  /** Never throws: what is not understood is a policy that says so. */
  read(flowId: string, document: PolicyDocument): Policy;
  /** In the place of one that cannot be read: it lets only the deploy token in. */
  broken(problem: string): Policy;
  /** Of its principals. */
  names(document: PolicyDocument): readonly string[];
  /** The document as it is shown: secrets are `***`. */
  mask(document: PolicyDocument): PolicyDocument;
}

export interface PolicyConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PutPolicy extends PolicyConditions {
  /** Refuses (policy_invalid) what has warnings. */
  readonly strict?: boolean | undefined;
}

export interface InForce {
  readonly policy: Policy;
  /** Without clear keys; undefined: the file is broken. */
  readonly document: PolicyDocument | undefined;
  /** Of its principals. */
  readonly names: readonly string[];
  /** Of the document as it is kept; "" and 0: the file is broken. */
  readonly hash: string;
  readonly revision: number;
}

export interface Installed extends InForce {
  readonly created: boolean;
}

export class Policies {
  readonly #store: DocumentStore;
  readonly #reader: PolicyReader;
  readonly #removed: (flowId: string) => void;
  readonly #inForce = new Map<string, InForce>();
  readonly #queue = new KeyedQueue();
  readonly #loaded = Promise.withResolvers<void>();
  /** In the place of every flow's policy: the store could not be read, so nobody knows which flows have one. */
  #unknown: Policy | undefined;

  /** `removed`: the flow has no policy any more. */
  constructor(store: DocumentStore, reader: PolicyReader, removed: (flowId: string) => void = () => {}) {
    this.#store = store;
    this.#reader = reader;
    this.#removed = removed;
  }

  /**
   * Once, at boot, before any flow serves. Fails closed: a document that cannot be read lets only the deploy token in, and so do all
   * flows when none can be read. Returns what the operator should know.
   */
  async load(): Promise<readonly { readonly flowId?: string; readonly problem: string }[]> {
    try {
      const { documents, broken } = await this.#store.load();
      const problems = documents.flatMap(({ id, hash, revision, text }) => this.#install(id, text, { hash, revision }));
      for (const { id, problem } of broken) this.#setBroken(id, problem);
      return [...problems, ...broken.map(({ id, problem }) => ({ flowId: id, problem: told(problem) }))];
    } catch (error) {
      this.#unknown = this.#reader.broken("the policies could not be read");
      const cause = error instanceof Error ? error.message : String(error);
      return [{ problem: `the access policies could not be read, so every flow is closed: ${cause}` }];
    } finally {
      this.#loaded.resolve();
    }
  }

  /** undefined: the flow is open. */
  get(flowId: string): Policy | undefined {
    return this.#inForce.get(flowId)?.policy ?? this.#unknown;
  }

  /** Throws not_found; store_failed when nobody knows whether there is one. */
  async find(flowId: string): Promise<InForce> {
    await this.#loaded.promise;
    this.#refuseUnknown();
    const found = this.#inForce.get(flowId);
    if (found === undefined) throw missing(flowId);
    return found;
  }

  mask(document: PolicyDocument): PolicyDocument {
    return this.#reader.mask(document);
  }

  /** Throws policy_invalid (strict), precondition_failed, and what the store throws; then what was in force still is. */
  put(flowId: string, sent: PolicyDocument, { strict, ifMatch, ifNoneMatch }: PutPolicy = {}): Promise<Installed> {
    return this.#change(flowId, async () => {
      const before = this.#inForce.get(flowId);
      assertPreconditions(before, ifMatch, ifNoneMatch, "policy");
      const document = this.#reader.hashKeys(sent);
      const policy = this.#reader.read(flowId, document);
      if (strict === true && policy.warnings.length > 0) throw invalid(policy);
      const { hash, revision } = await this.#store.put(flowId, JSON.stringify(document));
      // The policy in force goes on: it knows which signatures it has seen.
      if (before?.revision === revision) return { ...before, created: false };
      const now = { policy, document, names: this.#reader.names(document), hash, revision };
      this.#inForce.set(flowId, now);
      return { ...now, created: before === undefined };
    });
  }

  /** Throws not_found, precondition_failed, and what the store throws. */
  async remove(flowId: string, { ifMatch }: PolicyConditions = {}): Promise<void> {
    if (!(await this.#remove(flowId, ifMatch))) throw missing(flowId);
  }

  /** For a flow that is purged: it need not have one. */
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
      return [{ flowId, problem: told("it is no JSON object") }];
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

function told(problem: string): string {
  return `its access policy cannot be read, so only the deploy token gets in: ${problem}`;
}

function missing(flowId: string): AppError {
  return new AppError("not_found", `the flow '${flowId}' has no access policy`);
}

function invalid({ warnings }: Policy): AppError {
  return new AppError("policy_invalid", warnings.map(({ code, message }) => `${code}: ${message}`).join("; "));
}
