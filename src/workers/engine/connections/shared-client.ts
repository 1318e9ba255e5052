/**
 * The one client of a connection that many runs of a thread use at the same time. It is borrowed from the pool for the first of them, and
 * given back with the last: there it stays open for the next, until it has been idle for long, or its place is wanted elsewhere.
 */
import type { Exchange } from "../exchange.ts";
import type { Run } from "../run.ts";
import type { Lease } from "./connection.ts";

/** What the pool lends. */
export interface PoolLease<Client> extends Lease<Client> {
  /** true: nobody else may begin to use the client, since it is lost, has settings of before, or has to be given back. */
  readonly isStale: boolean;
}

type Lend<Client> = (run: Run<Exchange> | undefined, signal: AbortSignal | undefined) => Promise<PoolLease<Client>>;

interface Shared<Client> {
  readonly lease: PoolLease<Client>;
  users: number;
  broken: boolean;
}

interface Waiting<Client> {
  readonly run: Run<Exchange> | undefined;
  readonly signal: AbortSignal | undefined;
  take(shared: Shared<Client>): void;
  fail(error: unknown): void;
}

export class SharedClient<Client> {
  readonly #lend: Lend<Client>;
  readonly #changed: () => void;
  #shared: Shared<Client> | undefined;
  /** The pool is asked for the first of them. */
  #waiting: Waiting<Client>[] = [];
  #isBorrowing = false;

  /** `changed`: called when other runs wait than before. */
  constructor(lend: Lend<Client>, changed: () => void) {
    this.#lend = lend;
    this.#changed = changed;
  }

  /** How many runs wait beside the one that the pool is asked for. */
  get waiting(): number {
    return this.#waiting.length - (this.#isBorrowing && this.#waiting.length > 0 ? 1 : 0);
  }

  async share(run: Run<Exchange> | undefined, signal = run?.signal): Promise<Lease<Client>> {
    // Those who use a client that is stale keep it until they have ended.
    if (this.#shared?.lease.isStale === true || this.#shared?.broken === true) this.#shared = undefined;
    return this.#shared === undefined ? this.#wait(run, signal) : this.#use(this.#shared);
  }

  #wait(run: Run<Exchange> | undefined, signal: AbortSignal | undefined): Promise<Lease<Client>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const leave = (): void => {
        signal?.removeEventListener("abort", abort);
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        this.#changed();
      };
      const waiting: Waiting<Client> = {
        run,
        signal,
        take: (shared) => {
          leave();
          resolve(this.#use(shared));
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const abort = (): void => waiting.fail(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiting);
      void this.#borrow();
      this.#changed();
    });
  }

  async #borrow(): Promise<void> {
    const [first] = this.#waiting;
    if (this.#isBorrowing || first === undefined) return;
    this.#isBorrowing = true;
    try {
      const lease = await this.#lend(first.run, first.signal);
      this.#isBorrowing = false;
      if (this.#waiting.length === 0) return lease.release();
      const shared = { lease, users: 0, broken: false };
      this.#shared = shared;
      for (const waiting of this.#waiting.slice()) waiting.take(shared);
    } catch (error) {
      this.#isBorrowing = false;
      // Who has given up leaves the others waiting.
      if (this.#waiting.includes(first)) for (const waiting of this.#waiting.slice()) waiting.fail(error);
      else void this.#borrow();
    }
  }

  #use(shared: Shared<Client>): Lease<Client> {
    shared.users += 1;
    const { client, model, ended } = shared.lease;
    let released = false;
    return {
      client,
      model,
      ended,
      belongsTo() {},
      release: (broken = false) => {
        if (released) return;
        released = true;
        shared.users -= 1;
        if (broken) shared.broken = true;
        if (shared.users > 0) return;
        if (this.#shared === shared) this.#shared = undefined;
        shared.lease.release(shared.broken);
      },
    };
  }
}
