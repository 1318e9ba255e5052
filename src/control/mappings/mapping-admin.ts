/** The management of mappings: each change is checked, then durable, then in force in every thread, then acknowledged. */
import { AppError } from "../../shared/errors.ts";
import { groupOf } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { type LookupAnswer, type LookupRequest, lookUp } from "../../shared/look-up.ts";
import type { MappingData, MappingKind, MappingUse, MappingWarning } from "../../shared/mapping.ts";
import { LookupError } from "../../shared/value-lookup.ts";
import type { CheckPool } from "../flows/check-pool.ts";
import type { MappingAccess } from "../flows/flow-check.ts";
import type { LiveFlows } from "../flows/live-flows.ts";
import type { DocumentStore, DocumentStores, StoredDocument } from "../stores/documents.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";
import { assertPreconditions } from "../stores/refusals.ts";
import type { FlowPools } from "../threads/flow-pools.ts";
import { invalid, loadMappings, MappingChecks } from "./mapping-checks.ts";
import { type MappingOrder, type MappingPlan, planMappings } from "./mapping-plan.ts";
import {
  currentOf,
  dataOf,
  type HeldMapping,
  type KnownMapping,
  kindNames,
  MappingRegister,
  mayUse,
  nameOf,
  ownedBy,
} from "./mapping-register.ts";
import type {
  MappingBody,
  MappingService,
  MappingSummary,
  MappingUser,
  PutMapping,
  PutMappingOptions,
  RemoveMappingOptions,
} from "./mapping-service.ts";
import { bringProblems, inUse, usersByMapping, warnOfStrangers } from "./mapping-users.ts";

interface MappingParts {
  readonly stores: Pick<DocumentStores, "valueMappings" | "messageMappings">;
  readonly checks: CheckPool;
  /** A function, since the pools are built later. */
  readonly pools: () => Pick<FlowPools, "updateMappings">;
  readonly live: LiveFlows;
  readonly limits: Limits;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class MappingAdmin implements MappingService {
  readonly #parts: MappingParts;
  readonly #stores: Readonly<Record<MappingKind, DocumentStore>>;
  readonly #register = new MappingRegister();
  readonly #checks: MappingChecks;
  readonly #queue = new KeyedQueue();
  readonly #loaded = Promise.withResolvers<void>();
  #complete = false;
  #closed = false;

  constructor(parts: MappingParts) {
    this.#parts = parts;
    this.#stores = { value: parts.stores.valueMappings, message: parts.stores.messageMappings };
    this.#checks = new MappingChecks(parts.checks, parts.limits, (id) => this.#register.held("value", id)?.data);
  }

  /** Resolves when the boot load is over, or the runtime drains. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** Called once, at boot; never rejects. `onProblem` is called with each problem, for the log. */
  async load(onProblem: (problem: string) => void): Promise<void> {
    try {
      for (const kind of ["value", "message"] as const) {
        await loadMappings(kind, this.#stores[kind], this.#register, this.#checks, onProblem).catch((error: unknown) =>
          onProblem(`the ${kindNames[kind]}s could not be loaded: ${error instanceof Error ? error.message : error}`),
        );
      }
    } finally {
      this.#complete = true;
      this.#loaded.resolve();
    }
  }

  /** Refuses changes from here on. */
  close(): void {
    this.#closed = true;
    this.#loaded.resolve();
  }

  /** Returns the mappings that the threads of a flow get. */
  closure(flowId: string, uses: readonly MappingUse[]): readonly MappingData[] {
    return this.#register.closure(flowId, uses);
  }

  /** Whether a run of the flow gets the mapping; before the boot load is over every mapping counts as given. */
  access(flowId: string, kind: MappingKind, id: string): MappingAccess {
    if (!this.#complete) return "given";
    const held = this.#register.held(kind, id);
    if (held === undefined) return "missing";
    return mayUse(groupOf(flowId), ownedBy(held)) ? "given" : "other_group";
  }

  async list(kind: MappingKind): Promise<readonly MappingSummary[]> {
    await this.loaded;
    const users = usersByMapping(kind, this.#parts.live.all(), this.#register);
    return this.#register.all(kind).map((known) => summaryOf(kind, known, users.get(known.id) ?? []));
  }

  async get(kind: MappingKind, id: string): Promise<StoredDocument> {
    await this.loaded;
    const document = await this.#stores[kind].read(id);
    if (document !== undefined) return document;
    const known = this.#register.get(kind, id);
    if (known?.problem === undefined) throw missing(kind, id);
    throw new AppError("store_failed", `the ${nameOf(kind, id)} cannot be read: ${known.problem}`);
  }

  put(kind: MappingKind, id: string, body: MappingBody, options: PutMappingOptions): Promise<PutMapping> {
    return this.#change(kind, id, async () => {
      const before = this.#register.get(kind, id);
      assertPreconditions(currentOf(before), options.ifMatch, options.ifNoneMatch, kindNames[kind]);
      const { data, facts, warnings: found, kept } = await this.#checks.check({ kind, id, ...body, stored: false });
      const problems = kind === "message" ? bringProblems(ownedBy({ id, facts }), facts.uses, this.#register) : [];
      if (problems.length > 0) throw invalid(nameOf(kind, id), problems);
      const warnings = [...found, ...warnOfStrangers(kind, { id, facts }, this.#parts.live.all(), this.#register)];
      if (options.strict === true && warnings.length > 0) {
        throw invalid(
          nameOf(kind, id),
          warnings.map(({ message }) => message),
        );
      }
      const text = kept ?? utf8.decode(body.bytes);
      const version = await this.#stores[kind].put(id, text);
      const same = before?.version?.revision === version.revision;
      const present = same ? this.#register.held(kind, id)?.data : undefined;
      const held: HeldMapping = { id, version, facts, data: present ?? dataOf(kind, version, data) };
      this.#register.set(kind, held);
      const late = await this.#spread();
      return {
        ...answerOf(kind, held, this.#usersOf(kind, id)),
        warnings: [...warnings, ...late],
        created: before === undefined,
      };
    });
  }

  remove(kind: MappingKind, id: string, { force, ...conditions }: RemoveMappingOptions): Promise<void> {
    return this.#change(kind, id, async () => {
      const known = this.#register.get(kind, id);
      assertPreconditions(currentOf(known), conditions.ifMatch, conditions.ifNoneMatch, kindNames[kind]);
      if (known === undefined) throw missing(kind, id);
      const users = this.#usersOf(kind, id);
      if (users.length > 0 && force !== true) throw inUse(kind, id, users);
      await this.#stores[kind].remove(id);
      this.#register.delete(kind, id);
      await this.#spread();
    });
  }

  /** Does the work when all earlier changes of these mappings are made; later ones wait for its end. */
  hold<T>(mappings: readonly Pick<MappingOrder, "kind" | "id">[], work: () => Promise<T>): Promise<T> {
    const names = new Map(mappings.map((one) => [queueOf(one.kind, one.id), one]));
    const [first, ...rest] = [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
    return first === undefined ? work() : this.#change(first.kind, first.id, () => this.hold(rest, work));
  }

  /** Checks the mappings of a set; called within `hold`. */
  async plan(orders: readonly MappingOrder[]): Promise<MappingPlan> {
    await this.loaded;
    const { checks, limits } = this.#parts;
    const checksOf = (register: MappingRegister) =>
      new MappingChecks(checks, limits, (id) => register.held("value", id)?.data);
    return planMappings(this.#register, orders, checksOf);
  }

  /** The mappings that a deployment of the set has brought. */
  ofSet(set: string): readonly Pick<MappingOrder, "kind" | "id">[] {
    return (["value", "message"] as const).flatMap((kind) =>
      this.#stores[kind].list().flatMap((version) => (version.set === set ? [{ kind, id: version.id }] : [])),
    );
  }

  /** Returns the text of a mapping as it is stored; undefined: there is none that can be read. */
  async text(kind: MappingKind, id: string): Promise<string | undefined> {
    return (await this.#stores[kind].read(id))?.text;
  }

  /** Sends what `install` of plans has put in force to every thread that uses it. Returns a warning when flows are too busy to take it in time. */
  spread(): Promise<readonly MappingWarning[]> {
    return this.#spread();
  }

  async lookup(id: string, request: LookupRequest): Promise<LookupAnswer> {
    const held = await this.#usable("value", id);
    try {
      return lookUp(this.#register.table(held), request);
    } catch (error) {
      if (!(error instanceof LookupError)) throw error;
      throw new AppError("mapping_invalid", `${nameOf("value", id)}: ${error.message}`);
    }
  }

  tryValues(id: string, body: Uint8Array): Promise<string> {
    return this.#checks.tryValues(id, body);
  }

  async try(id: string, body: Uint8Array): Promise<string> {
    await this.loaded;
    const answer = await this.#checks.try(id, this.#register.held("message", id), body);
    if (answer !== undefined) return answer;
    await this.#usable("message", id);
    throw missing("message", id);
  }

  async exportCsv(id: string): Promise<{ readonly document: StoredDocument; readonly csv: string }> {
    await this.#usable("value", id);
    const document = await this.get("value", id);
    return { document, csv: await this.#checks.exportCsv(id, Buffer.from(document.text, "utf8")) };
  }

  async #usable(kind: MappingKind, id: string): Promise<HeldMapping> {
    await this.loaded;
    const known = this.#register.get(kind, id);
    if (known === undefined) throw missing(kind, id);
    if (known.problem === undefined) return known;
    throw new AppError("mapping_invalid", `the ${nameOf(kind, id)} cannot be used: ${known.problem}`);
  }

  /** Sends the change to every thread that uses it. Returns a warning when flows are too busy to take it in time. */
  async #spread(): Promise<MappingWarning[]> {
    const late = await this.#parts.pools().updateMappings(this.#parts.limits.mappingUpdateMs);
    if (late.length === 0) return [];
    const message = `flows that are too busy to take it now have it for their next run: ${late.slice(0, 20).join(", ")}`;
    return [{ code: "flows_busy", message }];
  }

  #usersOf(kind: MappingKind, id: string): readonly MappingUser[] {
    return usersByMapping(kind, this.#parts.live.all(), this.#register).get(id) ?? [];
  }

  async #change<T>(kind: MappingKind, id: string, work: () => Promise<T>): Promise<T> {
    await this.loaded;
    return this.#queue.run(queueOf(kind, id), () => {
      if (!this.#closed) return work();
      throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
    });
  }
}

function queueOf(kind: MappingKind, id: string): string {
  return `${kind} ${id.toLowerCase()}`;
}

function missing(kind: MappingKind, id: string): AppError {
  return new AppError("not_found", `there is no ${nameOf(kind, id)}`);
}

function summaryOf(kind: MappingKind, known: KnownMapping, usedBy: readonly MappingUser[]): MappingSummary {
  const { id, version, problem } = known;
  const common = { id, lastModified: version?.lastModified ?? "", hash: version?.hash ?? "" };
  const facts = known.problem === undefined ? known.facts : undefined;
  const size =
    kind === "value" ? { rows: facts?.rows ?? 0, columns: facts?.columns ?? [] } : { rules: facts?.rules ?? 0 };
  return { ...common, name: facts?.name ?? "", ...size, usedBy, ...(problem !== undefined && { error: problem }) };
}

function answerOf(
  kind: MappingKind,
  { id, version: { hash, revision }, facts }: HeldMapping,
  usedBy: readonly MappingUser[],
): Omit<PutMapping, "warnings" | "created"> {
  const { rows = 0, columns = [], rules = 0, compiledRules = 0, untestedRules = [], tests, uses } = facts;
  const size = kind === "value" ? { rows, columns } : { rules, compiledRules, untestedRules, uses };
  return { id, hash, revision, ...size, tests, usedBy };
}
