/** The management of named connections: each change is checked, then durable, then in force in every thread, then acknowledged. */
import type { ConnectionSecrets, ProbeAnswer } from "../../shared/connection.ts";
import type { Fields } from "../../shared/document-fields.ts";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import type { DocumentStore, DocumentVersion } from "../stores/documents.ts";
import { KeyedQueue } from "../stores/keyed-queue.ts";
import { assertPreconditions, type Current } from "../stores/refusals.ts";
import type { FlowPools } from "../threads/flow-pools.ts";
import { type AccessParts, ConnectionAccess } from "./connection-access.ts";
import { connectionModel } from "./connection-document.ts";
import { type ConnectionOrder, type ConnectionPlan, planConnections } from "./connection-plan.ts";
import { ConnectionRegister, type HeldConnection, type KnownConnection } from "./connection-register.ts";
import { secretsOf } from "./connection-secrets.ts";
import type {
  ConnectionConditions,
  ConnectionDetail,
  ConnectionService,
  ConnectionSummary,
  ConnectionUser,
  ConnectionWarning,
  PutConnection,
} from "./connection-service.ts";
import { inUse, usersOf, warnOfLosers } from "./connection-users.ts";
import { readConnection, refuseSecondDefault } from "./read-connection.ts";

interface ConnectionParts extends AccessParts {
  readonly store: DocumentStore;
  /** A function, since they are built later. */
  readonly pools: () => Pick<FlowPools, "updateMappings" | "probe">;
  readonly limits: Limits;
}

/** Fields that a GET adds to a document. */
const added = ["state", "usedBy"];

export class ConnectionAdmin implements ConnectionService {
  readonly #parts: ConnectionParts;
  /** What flows get of the connections. */
  readonly access: ConnectionAccess;
  readonly #register = new ConnectionRegister();
  readonly #queue = new KeyedQueue();
  readonly #loaded = Promise.withResolvers<void>();
  #closed = false;
  #onChange = (): void => {};

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.access = new ConnectionAccess(this.#register, parts);
  }

  /** Resolves when the boot load is over, or the runtime drains. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** Called once, at boot; never rejects. `onProblem` is called with each problem, for the log. */
  async load(onProblem: (problem: string) => void): Promise<void> {
    try {
      const { documents, broken } = await this.#parts.store.load();
      for (const { id, problem } of broken) this.#register.set({ name: id, problem });
      for (const { text, ...version } of documents) this.#register.set(known(version, text));
      for (const { name, problem } of this.#register.all())
        if (problem !== undefined) onProblem(`the connection '${name}' cannot be used: ${problem}`);
    } catch (error) {
      onProblem(`the connections could not be loaded: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.#loaded.resolve();
    }
  }

  /** `listener` is called when connections have come, or have changed. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** Refuses changes from here on. */
  close(): void {
    this.#closed = true;
    this.#loaded.resolve();
  }

  async list(): Promise<readonly ConnectionSummary[]> {
    await this.loaded;
    return this.#register.all().map((one) => this.#summary(one));
  }

  async get(name: string): Promise<ConnectionDetail> {
    await this.loaded;
    const stored = await this.#parts.store.read(name);
    if (stored === undefined) {
      const problem = this.#register.get(name)?.problem;
      if (problem === undefined) throw missing(name);
      throw new AppError("store_failed", `the connection '${name}' cannot be read: ${problem}`);
    }
    const { text, hash, revision } = stored;
    const document = JSON.parse(text) as Fields;
    return { document, hash, revision, state: this.access.state(name), usedBy: this.#usersOf(name) };
  }

  put(name: string, sent: Fields, { ifMatch, ifNoneMatch }: ConnectionConditions): Promise<PutConnection> {
    return this.#change(async () => {
      const before = this.#register.get(name);
      assertPreconditions(currentOf(before), ifMatch, ifNoneMatch, "connection");
      const fields = withoutAdded(sent);
      const document = readConnection(name, fields);
      refuseSecondDefault(name, document, this.#register);
      const users = this.#usersOf(name);
      const version = await this.#parts.store.put(name, JSON.stringify(fields));
      const held: HeldConnection = { name, version, document };
      this.#register.set(held);
      const late = await this.spread([name]);
      const usedBy = this.#usersOf(name);
      const warnings = [...warnOfLosers(users, usedBy), ...(await this.#warnOfSecrets(held)), ...late];
      return { name, hash: version.hash, revision: version.revision, usedBy, warnings, created: before === undefined };
    });
  }

  remove(
    name: string,
    { force, ifMatch, ifNoneMatch }: ConnectionConditions & { readonly force?: boolean | undefined },
  ): Promise<readonly ConnectionUser[]> {
    return this.#change(async () => {
      const before = this.#register.get(name);
      assertPreconditions(currentOf(before), ifMatch, ifNoneMatch, "connection");
      if (before === undefined) throw missing(name);
      const users = this.#usersOf(name);
      if (users.length > 0 && force !== true) throw inUse(name, users);
      await this.#parts.store.remove(name);
      this.#stop(users);
      this.#register.delete(name);
      await this.spread([name]);
      return users;
    });
  }

  async test(name: string, sent?: Fields): Promise<ProbeAnswer> {
    await this.loaded;
    const one = this.#register.get(name);
    let document = sent && readConnection(name, withoutAdded(sent));
    if (document === undefined) {
      if (one === undefined) throw missing(name);
      if (one.problem !== undefined) return { failure: `the document cannot be used: ${one.problem}` };
      document = one.document;
    }
    let secrets: ConnectionSecrets;
    try {
      secrets = await secretsOf(name, document, this.#parts.secrets);
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) };
    }
    const settings = { ...connectionModel(name, one?.version?.revision ?? 0, document), ...secrets };
    const database = document.kind === "embedded" ? this.access.database(name, () => document) : undefined;
    return this.#parts.pools().probe(settings, database);
  }

  /** Does the work when all earlier changes are made; later ones wait for its end. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.#change(work);
  }

  /** Checks the connections of a set; called within `hold`. */
  plan(orders: readonly ConnectionOrder[]): ConnectionPlan {
    return planConnections(this.#register, orders);
  }

  /** The connections that a deployment of the set has brought. */
  ofSet(set: string): readonly string[] {
    return this.#parts.store.list().flatMap((version) => (version.set === set ? [version.id] : []));
  }

  /** Returns the text of a connection as it is stored; undefined: there is none that can be read. */
  async text(name: string): Promise<string | undefined> {
    return (await this.#parts.store.read(name))?.text;
  }

  /** Sends changes to every thread that uses these connections. Returns a warning when flows are too busy to take them in time. */
  async spread(names: readonly string[]): Promise<readonly ConnectionWarning[]> {
    const late = await this.#parts.pools().updateMappings(this.#parts.limits.mappingUpdateMs);
    const permits = this.#parts.permits();
    for (const name of names) permits.look(name);
    permits.keepOnly((key) => this.access.isKnown(key));
    this.#onChange();
    if (late.length === 0) return [];
    const message = `flows that are too busy to take it now have it when they are not: ${late.slice(0, 20).join(", ")}`;
    return [{ code: "flows_busy", message }];
  }

  async #warnOfSecrets({ name }: HeldConnection): Promise<readonly ConnectionWarning[]> {
    try {
      await this.access.secrets(name);
      return [];
    } catch (error) {
      return [{ code: "missing_secret", message: error instanceof Error ? error.message : String(error) }];
    }
  }

  /** Stops the routes, as far as they run. */
  #stop(users: readonly ConnectionUser[]): void {
    const { live } = this.#parts;
    for (const deployment of [...live.all()]) {
      const routes = new Set(users.filter(({ flowId }) => flowId === deployment.flowId).map(({ routeId }) => routeId));
      const indexes = deployment.manifest.routes.flatMap(({ id }, index) => (routes.has(id) ? [index] : []));
      if (indexes.length > 0) live.setRoutes(deployment, indexes, "Stopped");
    }
  }

  #summary(one: KnownConnection): ConnectionSummary {
    const { name, version, problem } = one;
    const document = one.problem === undefined ? one.document : undefined;
    const { kind = "", servers = [], default: isDefault = false } = document ?? {};
    return {
      ...{ name, kind, servers, default: isDefault },
      maxConnections: document?.maxConnections ?? null,
      flows: document?.flows ?? null,
      usedBy: this.#usersOf(name),
      lastModified: version?.lastModified ?? "",
      hash: version?.hash ?? "",
      revision: version?.revision ?? 0,
      state: this.access.state(name),
      ...(problem !== undefined && { error: problem }),
    };
  }

  #usersOf(name: string): readonly ConnectionUser[] {
    return usersOf(name, this.#parts.live.all(), this.#register);
  }

  async #change<T>(work: () => Promise<T>): Promise<T> {
    await this.loaded;
    // One after the other, whatever their names: a default is one of a kind.
    return this.#queue.run("", () => {
      if (!this.#closed) return work();
      throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
    });
  }
}

function known(version: DocumentVersion, text: string): KnownConnection {
  const name = version.id;
  try {
    return { name, version, document: readConnection(name, JSON.parse(text)) };
  } catch (error) {
    return { name, version, problem: error instanceof AppError ? error.message : "it is no JSON" };
  }
}

function withoutAdded(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([field]) => !added.includes(field)));
}

function missing(name: string): AppError {
  return new AppError("not_found", `there is no connection '${name}'`);
}

function currentOf(one: KnownConnection | undefined): Current | undefined {
  return one && { hash: one.version?.hash ?? "", revision: one.version?.revision ?? null };
}
