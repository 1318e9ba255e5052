/** The life of a source that polls: it looks by its clock, and runs what it finds one after another, until its route is stopped. */
import { Deliveries } from "../deliveries.ts";
import { exceptionMessage } from "../exception.ts";
import { PollClock } from "../poll-clock.ts";
import type { Offer, Source, SourceContext } from "../source.ts";
import type { Taken } from "./attended.ts";
import { OneMessage } from "./one-message.ts";
import type { Page, Polled } from "./polled.ts";

export function polledSource<T extends Taken>(polled: Polled<T>, context: SourceContext): Source {
  const life = new Life(polled, context);
  return {
    // One message after another: their order is that of the poll.
    credits: 1,
    start: (offer) => life.start(offer),
    pause: () => void life.stop(),
    stop: () => life.stop(),
  };
}

/** From a start to the stop that follows it. */
interface Started<T extends Taken> {
  readonly offer: Offer;
  /** Aborted when the source takes no more messages. */
  readonly stop: AbortSignal;
  readonly one: OneMessage<T>;
}

class Life<T extends Taken> {
  readonly #polled: Polled<T>;
  readonly #context: SourceContext;
  readonly #deliveries: Deliveries | undefined;
  readonly #clock: PollClock;
  #stopping: AbortController | undefined;
  #started: Started<T> | undefined;

  constructor(polled: Polled<T>, context: SourceContext) {
    this.#polled = polled;
    this.#context = context;
    this.#deliveries = polled.uncounted === true ? undefined : new Deliveries(context, polled);
    this.#clock = new PollClock(polled.options, context.report, async () =>
      this.#started === undefined ? 0 : await this.#poll(this.#started),
    );
  }

  start(offer: Offer): void {
    if (this.#stopping !== undefined) return;
    this.#stopping = new AbortController();
    const stop = this.#stopping.signal;
    const parts = { attended: this.#polled, context: this.#context, deliveries: this.#deliveries, giveBack: undefined };
    this.#started = { offer, stop, one: new OneMessage({ ...parts, offer, stop }) };
    this.#clock.start();
  }

  /** Resolves when all is settled. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error("the consumer is stopped"));
    this.#stopping = undefined;
    this.#clock.stop();
    await this.#clock.idle();
    await this.#deliveries?.end();
  }

  /** Resolves with how many messages were taken. Rejects with the failure of the poll, which the route has got when it handles failures of polls. */
  async #poll(started: Started<T>): Promise<number> {
    const { offer, stop } = started;
    const { failure, options } = this.#polled;
    let taken = 0;
    try {
      for (let goesOn = true; goesOn && !stop.aborted; ) {
        const page = await this.#polled.poll(stop);
        goesOn = await this.#runAll(page, started, () => {
          taken += 1;
        });
      }
      if (taken === 0 && options.sendEmptyMessageWhenIdle && !stop.aborted) await offer({ body: null });
      return taken;
    } catch (error) {
      this.#context.report.backlog(undefined);
      if (options.bridgeErrorHandler === true) await offer({ body: null, failed: { error }, keeps: false });
      if (failure === undefined) throw error;
      throw new Error(`${failure}: ${exceptionMessage(error)}`, { cause: error });
    }
  }

  /** Resolves true when further messages are to be looked for at once. */
  async #runAll(page: Page<T>, { offer, stop, one }: Started<T>, took: () => void): Promise<boolean> {
    const { size, isPart = false } = page;
    let next = 0;
    try {
      if (size === 0) this.#context.report.backlog(0);
      else await this.#deliveries?.begin();
      while (next < size) {
        await offer.ready();
        if (stop.aborted) return false;
        this.#context.report.backlog(isPart ? undefined : size - next - 1);
        const taken = await page.claim(next++);
        if (taken === undefined) continue;
        took();
        if (!(await this.#run(taken, one))) return false;
      }
    } finally {
      if (next < size) await page.leave?.(next);
    }
    const goesOn = size > 0 && (await page.end?.()) === true;
    // Those that were under way at a loss were among them.
    if (!isPart) await this.#deliveries?.calm();
    return goesOn;
  }

  /** Resolves false when the poll ends with the message. */
  async #run(taken: T, one: OneMessage<T>): Promise<boolean> {
    const ended = await one.run(taken).catch(async (error: unknown) => {
      await this.#polled.settle({ taken, outcome: "lost" });
      throw error;
    });
    await one.rest(ended);
    await this.#polled.settle(ended);
    // What has not begun begins before the others, with the next poll.
    return ended.outcome !== "lost" && !(ended.outcome === "failed" && this.#polled.failureEndsPoll === true);
  }
}
