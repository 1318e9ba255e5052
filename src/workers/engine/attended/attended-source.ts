/** The life of a source: it connects, takes messages, and connects again after growing pauses, until its route is stopped. */
import { BackOff } from "../connections/back-off.ts";
import { ConnectionChanged, type Lease } from "../connections/connection.ts";
import { Deliveries } from "../deliveries.ts";
import { limitExceeded } from "../exception.ts";
import type { Offer, Source, SourceContext } from "../source.ts";
import { rest, unlessAborted, within } from "../waiting.ts";
import type { Attended, Inlet, InletOpening, Taken } from "./attended.ts";
import { InletRuns } from "./inlet-runs.ts";
import { Lanes } from "./lanes.ts";

/** A connection that has lasted so long works: the pauses begin anew after it. Two clients with one id part each other earlier. */
const steadyMs = 10_000;

export function attendedSource<Client, T extends Taken>(attended: Attended<Client, T>, context: SourceContext): Source {
  const life = new Life(attended, context);
  return {
    credits: attended.credits,
    start: (offer) => life.start(offer),
    pause: () => void life.stop(),
    stop: () => life.stop(),
    ...(attended.peek !== undefined && { peek: (limit) => attended.peek?.(limit) ?? Promise.resolve([]) }),
  };
}

/** From a start of the route to its stop. */
interface Started<T extends Taken> {
  readonly offer: Offer;
  readonly stop: AbortSignal;
  /** Of sources that resume: messages of inlets that are closed, and the order of all. */
  readonly left: Set<InletRuns<T>>;
  readonly lanes: Lanes | undefined;
}

class Life<Client, T extends Taken> {
  readonly #attended: Attended<Client, T>;
  readonly #context: SourceContext;
  readonly #deliveries: Deliveries;
  readonly #backOff: BackOff;
  /** true: no inlet was opened since the route was started. */
  #isFirst = true;
  #stopping: AbortController | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(attended: Attended<Client, T>, context: SourceContext) {
    this.#attended = attended;
    this.#context = context;
    this.#deliveries = new Deliveries(context, attended);
    this.#backOff = new BackOff(attended.mostPauseMs ?? context.limits.connectionRetryMs);
  }

  start(offer: Offer): void {
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    // What was under way at a pause is settled first.
    this.#work = this.#work.then(() => this.#run(offer, stopping.signal));
  }

  /** Resolves when all is settled and closed. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error("the consumer is stopped"));
    this.#stopping = undefined;
    await this.#work;
  }

  /** Does not reject. */
  async #run(offer: Offer, stop: AbortSignal): Promise<void> {
    const { report } = this.#context;
    const lanes = this.#attended.resumes === true ? this.#lanesUntil(stop) : undefined;
    const started = { offer, stop, left: new Set<InletRuns<T>>(), lanes };
    this.#isFirst = true;
    while (!stop.aborted) {
      report.polls();
      try {
        await this.#connect(started);
      } catch (error) {
        // A connection with other settings is opened at once.
        if (!stop.aborted && !(error instanceof ConnectionChanged)) await this.#failed(error, offer, stop);
      }
    }
    report.backlog(undefined);
    await this.#deliveries.end();
  }

  async #failed(error: unknown, offer: Offer, stop: AbortSignal): Promise<void> {
    const { report } = this.#context;
    this.#backOff.failed();
    const { waitMs } = this.#backOff;
    report.failed(error, waitMs);
    report.backlog(undefined);
    if (this.#attended.bridgesErrors) await offer({ body: null, failed: { error }, keeps: false });
    await rest(waitMs, stop);
  }

  /** Resolves when the source stops or its connection has other settings; rejects when it could not connect, or was lost. */
  async #connect(started: Started<T>): Promise<void> {
    const { stop } = started;
    if (this.#attended.atMostOnce !== true) await this.#deliveries.begin();
    const lease = await this.#attended.connection.lend(undefined, stop);
    let isBroken = true;
    try {
      await this.#consume(lease, started);
      isBroken = false;
    } finally {
      lease.release(this.#attended.ownsClient === true || (isBroken && !stop.aborted));
    }
  }

  async #consume(lease: Lease<Client>, { offer, stop, left, lanes }: Started<T>): Promise<void> {
    const attended = this.#attended;
    const { report } = this.#context;
    const failed = new AbortController();
    const over = AbortSignal.any([stop, lease.ended, failed.signal]);
    const fail = (error: unknown): void => failed.abort(error);
    const deliveries = this.#deliveries;
    const inlet = await this.#open(lease.client, {
      ...{ signal: over, fail, backlog: report.backlog, isFirst: this.#isFirst },
      get careful() {
        return deliveries.careful;
      },
    });
    const opened = performance.now();
    this.#isFirst = false;
    report.polled(undefined);
    const parts = { attended, context: this.#context, deliveries, offer, stop, over, fail };
    const runs = new InletRuns(inlet, { ...parts, lanes: lanes ?? this.#lanesUntil(over) });
    await runs.take().catch(fail);
    if (performance.now() - opened > steadyMs) this.#backOff.succeeded();
    const isLost = !stop.aborted && !(over.reason instanceof ConnectionChanged);
    left.add(runs);
    const settled = [...left].map((some) => some.settled().then(() => left.delete(some)));
    if (!isLost || attended.resumes !== true) await Promise.all(settled);
    await inlet.close();
    if (isLost) throw over.reason;
  }

  #lanesUntil(over: AbortSignal): Lanes | undefined {
    const { window = 1 } = this.#attended;
    return window > 1 ? new Lanes({ ...this.#attended, window, over }) : undefined;
  }

  /** Rejects after the limit outboundTotalMs, unless the source waits for others. */
  async #open(client: Client, opening: InletOpening): Promise<Inlet<T>> {
    const ms = this.#attended.waitsForOthers === true ? 0 : this.#context.limits.outboundTotalMs;
    const late = (): Error => limitExceeded("outboundTotalMs", `the server has not answered within ${ms} ms`);
    const open = this.#attended.open(client, opening);
    try {
      return await within(ms, opening.signal, late, (signal) => unlessAborted(open, signal));
    } catch (error) {
      // It may still open: nobody would take what comes.
      open.then(
        (inlet) => inlet.close(),
        () => {},
      );
      throw error;
    }
  }
}
