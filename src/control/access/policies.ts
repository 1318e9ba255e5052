/**
 * The access policies in force, in memory; each is durable before it is in force, and in force before it is
 * acknowledged.
 */
import { AppError } from "../../shared/errors.ts";
import type { DocumentStore, DocumentVersion, DocumentWriter } from "../stores/documents.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";
import { assertPreconditions } from "../stores/refusals.ts";
import type { DocumentChange } from "../stores/sets.ts";
import {
  type InForce,
  inForceOf,
  invalidError,
  type PlannedPolicy,
  type PolicyDocument,
  type PolicyReader,
  planPolicy,
} from "./planned-policy.ts";
import type { Policy } from "./policy.ts";

export interface PolicyConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export interface PutPolicy extends PolicyConditions {
  /** Refuses a document that has warnings (policy_invalid). */
  readonly strict?: boolean | undefined;
  readonly by?: DocumentWriter | undefined;
}

/** A policy that is kept with something else. */
export interface PolicyPart {
  /** Empty: it is as it was. */
  readonly documents: readonly DocumentChange[];
  install(versions: readonly (DocumentVersion | undefined)[]): void;
}

/** A policy that is to be kept with something else. */
export interface PolicyAlongside {
  /** null: the flow is to have no policy. */
  readonly read: () => PolicyDocument | null;
  /** true: a policy that is in force stays, and `read` is not called. */
  readonly ifNone?: boolean;
  readonly by: DocumentWriter;
}

interface PolicyFile extends Omit<PolicyAlongside, "by"> {
  readonly file: string;
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
      const problems = documents.flatMap(({ text, ...version }) => this.#install(text, version));
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

  /** All policies, sorted by the flow's id, of flows that do not exist, too. Throws store_failed when it is unknown which there are. */
  async list(): Promise<readonly (readonly [flowId: string, policy: InForce])[]> {
    await this.#loaded.promise;
    this.#refuseUnknown();
    return [...this.#inForce].sort(([a], [b]) => (a < b ? -1 : 1));
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
    { strict, ifMatch, ifNoneMatch, by }: PutPolicy = {},
  ): Promise<InstalledPolicy> {
    return this.#change(flowId, async () => {
      const before = this.#inForce.get(flowId);
      assertPreconditions(before, ifMatch, ifNoneMatch, "policy");
      const document = this.#reader.hashKeys(sent);
      const policy = this.#reader.read(flowId, document);
      if (strict === true && policy.warnings.length > 0) throw invalidError(policy);
      const version = await this.#store.put(flowId, JSON.stringify(document), by);
      // The policy in force stays: it knows which signatures it has seen.
      if (before?.revision === version.revision) return { ...before, created: false };
      const now = inForceOf(policy, document, this.#reader.names(document), version);
      this.#inForce.set(flowId, now);
      return { ...now, created: before === undefined };
    });
  }

  /** Does the work when all earlier changes of these flows' policies are made; later ones wait for its end. */
  hold<Result>(flowIds: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const [first, ...rest] = [...new Set(flowIds)].sort();
    return first === undefined ? work() : this.#change(first, () => this.hold(rest, work));
  }

  /** Checks a document that may be read by others; called within `hold`. Throws policy_invalid. null: the flow is to have no policy. */
  plan(flowId: string, sent: PolicyDocument | null, strict = false): PlannedPolicy {
    const before = this.#inForce.get(flowId);
    return planPolicy(this.#reader, { flowId, sent, before, strict }, (now) => {
      if (now !== undefined) this.#inForce.set(flowId, now);
      else if (this.#inForce.delete(flowId)) this.#removed(flowId);
    });
  }

  /** Does the work with a policy that is kept in one piece with something else. Throws as `plan`, and what `read` and the work throw. */
  alongside<Result>(
    flowId: string,
    { read, ifNone = false, by }: PolicyAlongside,
    work: (part: PolicyPart) => Promise<Result>,
  ): Promise<Result> {
    return this.hold([flowId], async () => {
      if (ifNone && this.get(flowId) !== undefined) return work({ documents: [], install: () => {} });
      const { text, before, changed, install } = this.plan(flowId, read());
      const documents = changed ? [{ kind: "policies" as const, id: flowId, text, by, set: before?.set }] : [];
      return work({ documents, install: ([version]) => install(version) });
    });
  }

  /** Keeps policies that lie in files in one piece with something else. `actor`: who had the files read; absent: the runtime itself. */
  ofFiles(actor?: string) {
    return (flowId: string, { file: via, ...policy }: PolicyFile) =>
      <Result>(work: (part: PolicyPart) => Promise<Result>): Promise<Result> =>
        this.alongside(flowId, { ...policy, by: { via, ...(actor !== undefined && { actor }) } }, work);
  }

  /** The flows whose policies a deployment of the set has brought. */
  ofSet(set: string): readonly string[] {
    return this.#store.list().flatMap((version) => (version.set === set ? [version.id] : []));
  }

  /** Returns the policy in force; undefined: there is none, or it is unknown whether there is one. */
  inForce(flowId: string): InForce | undefined {
    return this.#inForce.get(flowId);
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

  #install(text: string, version: DocumentVersion): { readonly flowId: string; readonly problem: string }[] {
    const flowId = version.id;
    try {
      const document = asDocument(JSON.parse(text));
      const policy = this.#reader.read(flowId, document);
      this.#inForce.set(flowId, inForceOf(policy, document, this.#reader.names(document), version));
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
    this.#inForce.set(flowId, {
      policy,
      document: undefined,
      names: [],
      hash: "",
      revision: 0,
      writtenBy: undefined,
      set: undefined,
    });
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
