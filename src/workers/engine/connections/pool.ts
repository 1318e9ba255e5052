/**
 * The open clients of one connection in one thread. Each is opened for a run that waits, with a place that control gives;
 * one that is given back is lent again, or closed when nobody has used it for a while, or when others wait for its place.
 */
import type { ConnectionSecrets } from "../../../shared/connection.ts";
import type { Limits } from "../../../shared/limits.ts";
import { exceptionMessage, FlowException } from "../exception.ts";
import type { Exchange } from "../exchange.ts";
import type { Run } from "../run.ts";
import { BackOff } from "./back-off.ts";
import { type Connection, ConnectionChanged, type ConnectionSession, type Lease } from "./connection.ts";
import type { ConnectionPort, PlaceRequest } from "./connection-port.ts";
import type { HeldByRuns } from "./held-by-runs.ts";
import { IdleClients } from "./idle-clients.ts";
import { closeClient, openWithin } from "./open-within.ts";
import type { Attempt, InForce, Opened, Waiting } from "./pooled-client.ts";
import { type PoolLease, SharedClient } from "./shared-client.ts";

export interface PoolParts {
  readonly id: string;
  readonly port: ConnectionPort;
  readonly held: HeldByRuns;
  readonly limits: Limits;
  /** What its clients are opened with; absent: they belong to no endpoint. */
  readonly session?: ConnectionSession;
  /** Called with the numbers of clients that nobody uses and of runs that wait. */
  count(idle: number, waiting: number): void;
}

/** How long a thread may use a client again and again while threads elsewhere wait for its place. */
const turnMs = 1000;

export class ConnectionPool<Client> implements Connection<Client> {
  readonly name: string;
  readonly #parts: PoolParts;
  readonly #backOff: BackOff;
  #inForce: InForce<Client> | undefined;
  readonly #idle: IdleClients<Opened<Client>>;
  readonly #opened = new Set<Opened<Client>>();
  readonly #shared: SharedClient<Client>;
  /** Those whose run has a client come first. */
  #waiting: Waiting<Client>[] = [];
  #retry: NodeJS.Timeout | undefined;
  #wantedSince: number | undefined;

  constructor(name: string, parts: PoolParts, inForce: InForce<Client> | undefined) {
    this.name = name;
    this.#parts = parts;
    this.#backOff = new BackOff(parts.limits.connectionRetryMs);
    this.#inForce = inForce;
    this.#idle = new IdleClients(parts.limits.connectionIdleMs, (old) => {
      for (const opened of old) void this.#close(opened);
      this.#count();
    });
    this.#shared = new SharedClient(
      (run, signal) => this.lend(run, signal),
      () => this.#count(),
    );
  }

  get kind(): string | undefined {
    return this.#inForce?.model.kind;
  }

  async lend(run: Run<Exchange> | undefined, signal?: AbortSignal): Promise<PoolLease<Client>> {
    if (this.#inForce === undefined) throw this.#missing();
    const slot = run?.slot ?? -1;
    const idle = this.#idle.take();
    if (idle === undefined) return this.#wait(slot, signal ?? run?.signal);
    this.#count();
    return this.#lease(idle, slot);
  }

  share(run: Run<Exchange> | undefined, signal?: AbortSignal): Promise<Lease<Client>> {
    return this.#shared.share(run, signal);
  }

  /** Replaces the settings; undefined: there is no such connection any more. Clients that are in use stay until they are given back. */
  update(inForce: InForce<Client> | undefined): void {
    this.#inForce = inForce;
    for (const opened of this.#idle.takeAll()) void this.#close(opened);
    for (const { ended } of this.#opened)
      ended.abort(new ConnectionChanged(`the settings of the connection '${this.name}' have changed`));
    this.#backOff.succeeded();
    clearTimeout(this.#retry);
    this.#retry = undefined;
    if (inForce === undefined) for (const waiting of this.#waiting.slice()) this.#fail(waiting, this.#missing());
    this.#ask();
  }

  /** Notes whether threads elsewhere wait for places. */
  wanted(yes: boolean): void {
    this.#wantedSince = yes ? (this.#wantedSince ?? performance.now()) : undefined;
    if (yes) for (const opened of this.#idle.takeAll()) void this.#close(opened);
  }

  /** Closes the clients that nobody uses; resolves when they are closed. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    await Promise.all(this.#idle.takeAll().map((opened) => this.#close(opened)));
  }

  #wait(slot: number, signal: AbortSignal | undefined): Promise<PoolLease<Client>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const leave = (): void => {
        signal?.removeEventListener("abort", abort);
        if (waiting.attempt?.granted === false) waiting.attempt.place.close();
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#count();
      };
      const waiting: Waiting<Client> = {
        slot,
        nested: this.#parts.held.of(slot).length > 0,
        attempt: undefined,
        take: (opened) => {
          leave();
          resolve(this.#lease(opened, slot));
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const abort = (): void => waiting.fail(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const before = this.#waiting.findIndex(({ nested }) => waiting.nested && !nested);
      this.#waiting.splice(before < 0 ? this.#waiting.length : before, 0, waiting);
      this.#count();
      this.#ask();
    });
  }

  /**
   * Asks for places for runs that wait. While the server cannot be reached, one attempt at a time is made, after its
   * time. Runs that have a client are all asked for, so that control knows whether they wait for each other.
   */
  #ask(): void {
    const { model } = this.#inForce ?? {};
    if (model === undefined || this.#waiting.length === 0) return;
    const { waitMs, failing } = this.#backOff;
    if (waitMs > 0) {
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.#ask();
      }, waitMs).unref();
      return;
    }
    const most = failing ? 1 : model.maxConnections;
    let asked = this.#waiting.filter(({ attempt }) => attempt !== undefined).length;
    for (const waiting of this.#waiting) {
      if (waiting.attempt !== undefined || (asked >= most && (failing || !waiting.nested))) continue;
      asked += 1;
      void this.#open(waiting);
    }
  }

  async #open(waiting: Waiting<Client>): Promise<void> {
    const { id, port, held } = this.#parts;
    const attempt: Attempt = { place: port.ask(id, waiting.slot, held.of(waiting.slot)), granted: false };
    waiting.attempt = attempt;
    try {
      const secrets = await attempt.place.granted;
      attempt.granted = true;
      await this.#connect(waiting, attempt.place, secrets);
    } catch (error) {
      this.#fail(waiting, error);
    }
    // It still waits when the settings have changed meanwhile.
    if (waiting.attempt === attempt) waiting.attempt = undefined;
    this.#ask();
  }

  async #connect(waiting: Waiting<Client>, place: PlaceRequest, secrets: ConnectionSecrets): Promise<void> {
    const by = this.#inForce;
    if (by === undefined) return place.close();
    let opened: Opened<Client> | undefined;
    let lost: { readonly error: unknown } | undefined;
    const onLost = (error: unknown): void => {
      lost ??= { error };
      if (opened !== undefined) this.#lost(opened, error);
    };
    try {
      const settings = { ...by.model, ...secrets, ...by.secrets };
      const client = await openWithin(by.driver, settings, this.#parts.limits, {
        lost: onLost,
        database: place.database,
        session: this.#parts.session ?? {},
      });
      opened = { client, by, place, ended: new AbortController(), lost: false };
    } catch (error) {
      this.#failed(place, error);
      throw error;
    }
    place.opened();
    this.#backOff.succeeded();
    this.#opened.add(opened);
    if (lost === undefined) return this.#pass(opened, waiting);
    this.#lost(opened, lost.error);
    throw lost.error;
  }

  /** Runs that wait for the same server fail with it. */
  #failed(place: PlaceRequest, error: unknown): void {
    const again = this.#backOff.failing;
    place.close(exceptionMessage(error) || "it failed without a reason");
    this.#backOff.failed();
    if (again) for (const one of this.#waiting.slice()) if (one.attempt === undefined) this.#fail(one, error);
  }

  #fail(waiting: Waiting<Client>, error: unknown): void {
    if (this.#waiting.includes(waiting)) waiting.fail(error);
  }

  /** Hands a client on to a run that waits, `first` before others; else keeps it, unless it has to go. */
  #pass(opened: Opened<Client>, first?: Waiting<Client>): void {
    const next = first !== undefined && this.#waiting.includes(first) ? first : this.#waiting[0];
    const wanted = this.#wantedSince !== undefined && (next === undefined || this.#isTurnOver());
    if (opened.lost || opened.by !== this.#inForce || (wanted && first === undefined)) void this.#close(opened);
    else if (next === undefined) this.#idle.add(opened);
    else next.take(opened);
    this.#count();
    this.#ask();
  }

  /** true: a thread elsewhere waits for a place, and this one has had its turn. */
  #isTurnOver(): boolean {
    return this.#wantedSince !== undefined && performance.now() - this.#wantedSince > turnMs;
  }

  #lease(opened: Opened<Client>, slot: number): PoolLease<Client> {
    const { held, id } = this.#parts;
    let owner = slot;
    let released = false;
    held.add(owner, id);
    const isStale = (): boolean => opened.lost || opened.by !== this.#inForce || this.#isTurnOver();
    return {
      client: opened.client,
      model: opened.by.model,
      get isStale() {
        return isStale();
      },
      ended: opened.ended.signal,
      belongsTo({ slot: next }) {
        if (released) return;
        held.remove(owner, id);
        owner = next;
        held.add(owner, id);
      },
      release: (broken = false) => {
        if (released) return;
        released = true;
        held.remove(owner, id);
        if (broken) opened.lost = true;
        this.#pass(opened);
      },
    };
  }

  #lost(opened: Opened<Client>, error: unknown): void {
    if (opened.lost || !this.#opened.has(opened)) return;
    opened.lost = true;
    opened.ended.abort(error);
    this.#idle.remove(opened);
    this.#opened.delete(opened);
    opened.place.close(exceptionMessage(error) || "the connection was lost");
    void closeClient(opened.by.driver, opened.client);
    this.#count();
    this.#ask();
  }

  async #close(opened: Opened<Client>): Promise<void> {
    if (!this.#opened.delete(opened)) return;
    await closeClient(opened.by.driver, opened.client);
    opened.place.close();
  }

  #count(): void {
    this.#parts.count(this.#idle.size, this.#waiting.length + this.#shared.waiting);
  }

  #missing(): FlowException {
    return new FlowException(
      "org.apache.camel.NoSuchBeanException",
      `there is no connection '${this.name}' any more: PUT /_api/connections/${this.name} installs it`,
    );
  }
}
