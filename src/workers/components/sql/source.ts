/** Polls a database, and offers each row (Camel: SqlConsumer 4.22). */
import { Deliveries, mostDeliveries } from "../../engine/deliveries.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { PollClock } from "../../engine/poll-clock.ts";
import { RunTransaction } from "../../engine/run-transaction.ts";
import type { NewMessage, Offer, Settled, Source, SourceContext } from "../../engine/source.ts";
import { Marks } from "./marks.ts";
import type { SqlOptions } from "./options.ts";
import { type Page, PolledRows } from "./polled-rows.ts";

/** Throws for invalid options. */
export function sqlSource(options: SqlOptions, context: SourceContext): Source {
  const table = new PolledTable(options, context);
  let offer: Offer | undefined;
  const poll = async (): Promise<number> => (offer === undefined ? 0 : table.poll(offer, () => clock.stopped));
  const clock = new PollClock(options, context.report, poll);
  return {
    // One row after another: their order is that of the query.
    credits: 1,
    start(to) {
      offer = to;
      clock.start();
    },
    pause() {
      clock.stop();
      void clock.idle().then(() => table.rest());
    },
    async stop() {
      clock.stop();
      await clock.idle();
      await table.rest();
    },
  };
}

interface Offered {
  readonly offered: number;
  readonly marked: number;
  /** true: no row of the page is left. */
  readonly isWhole: boolean;
}

class PolledTable {
  readonly #options: SqlOptions;
  readonly #context: SourceContext;
  readonly #rows: PolledRows;
  readonly #marks: Marks;
  readonly #deliveries: Deliveries;
  /** Rows of the last poll that could not be marked, and come again before others. */
  #unmarked = 0;

  constructor(options: SqlOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#rows = new PolledRows(options, context);
    this.#marks = new Marks(options, context, this.#rows.connection);
    this.#deliveries = new Deliveries(context, { scheme: "sql", word: "row" });
  }

  /** The source takes no more rows, and none is under way. Does not reject. */
  async rest(): Promise<void> {
    await this.#deliveries.end();
  }

  /** Resolves with the number of rows. Rejects with the failure of the poll, which the route has got when it handles failures of polls. */
  async poll(offer: Offer, stopped: () => boolean): Promise<number> {
    try {
      let taken = 0;
      for (let more = true; more && !stopped(); ) {
        const page = await this.#rows.read(this.#unmarked);
        this.#unmarked = 0;
        const done = await this.#offerAll(page, offer, stopped);
        taken += done.offered;
        // Further rows are there, and those of this page do not stand before them any more.
        more = page.isPart && done.marked > 0;
        if (!page.isPart && done.isWhole) await this.#deliveries.calm();
      }
      if (taken === 0 && this.#options.sendEmptyMessageWhenIdle && !stopped()) await offer({ body: null });
      return taken;
    } catch (error) {
      this.#context.report.backlog(undefined);
      if (this.#options.bridgeErrorHandler) await offer({ body: null, failed: { error }, keeps: false });
      throw error;
    }
  }

  async #offerAll({ messages, isPart, key }: Page, offer: Offer, stopped: () => boolean): Promise<Offered> {
    if (messages.length > 0) await this.#deliveries.begin();
    else this.#context.report.backlog(0);
    let offered = 0;
    let marked = 0;
    for (const [index, body] of messages.entries()) {
      if (stopped()) break;
      // Of a page it is not known how many rows stand behind it.
      this.#context.report.backlog(isPart ? undefined : messages.length - index - 1);
      const properties = [
        ["CamelBatchIndex", index],
        ["CamelBatchSize", messages.length],
        ["CamelBatchComplete", index === messages.length - 1],
      ] as const;
      offered += 1;
      const { isMarked, goesOn } = await this.#offerOne({ body, properties }, key(body), offer);
      if (isMarked) marked += 1;
      else this.#unmarked += 1;
      if (!goesOn) return { offered, marked, isWhole: false };
      if (!isMarked && this.#options.onConsume !== undefined) await this.#rows.reach();
    }
    const isWhole = offered === messages.length;
    if (isWhole && offered > 0) await this.#marks.complete();
    return { offered, marked, isWhole };
  }

  async #offerOne(
    message: NewMessage,
    key: string,
    offer: Offer,
  ): Promise<{ readonly isMarked: boolean; readonly goesOn: boolean }> {
    const { transacted, onConsumeFailed, breakBatchOnConsumeFail } = this.#options;
    const delivery = await this.#deliveries.count(key);
    if (delivery > 1) this.#context.report.redelivered();
    const isPoison = delivery >= mostDeliveries;
    const transaction = transacted && !isPoison ? new RunTransaction() : undefined;
    const settled = await offer({
      ...message,
      // A row that is not marked as failed comes again.
      keeps: onConsumeFailed !== undefined || isPoison,
      ...(transaction !== undefined && { transaction }),
      ...(isPoison && { failed: { error: this.#deliveries.tooOften(key) } }),
    });
    try {
      const settling = this.#settle(message.body, settled, transaction, isPoison);
      const isMarked = await this.#forgotten(settling, key, delivery);
      return { isMarked, goesOn: settled.outcome === "done" || (settled.outcome === "failed" && !transacted) };
    } catch (error) {
      if (breakBatchOnConsumeFail) throw error;
      this.#context.log("WARN", "sql", `a row could not be marked, and comes again: ${exceptionMessage(error)}`);
      return { isMarked: false, goesOn: true };
    }
  }

  /** Its run has ended, also when it could not be marked. */
  async #forgotten(settling: Promise<boolean>, key: string, delivery: number): Promise<boolean> {
    try {
      return await settling;
    } finally {
      await this.#deliveries.forget(key, delivery);
    }
  }

  /** Marks the row as its run has ended. Resolves false for a row that comes again; rejects when it could not be marked. */
  async #settle(
    row: unknown,
    settled: Settled,
    transaction: RunTransaction | undefined,
    isPoison: boolean,
  ): Promise<boolean> {
    const ended = "exchange" in settled ? settled.exchange : undefined;
    if (settled.outcome === "done" && ended?.rollback !== true) {
      try {
        const marked = await this.#marks.done(row, ended, transaction);
        await transaction?.end(true);
        return marked;
      } catch (error) {
        await transaction?.end(false).catch(() => {});
        throw error;
      }
    }
    await transaction?.end(false);
    if (settled.outcome === "lost") return false;
    if (await this.#marks.failed(row, ended)) return true;
    // Otherwise a row that always ends its thread would come again without end.
    return isPoison && (await this.#marks.done(row, ended, undefined));
  }
}
