/** Polls a database, and offers each row (Camel: SqlConsumer 4.22). */
import type { Ended } from "../../engine/attended/attended.ts";
import type { Page } from "../../engine/attended/polled.ts";
import { polledSource } from "../../engine/attended/polled-source.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { Marks } from "./marks.ts";
import type { SqlOptions } from "./options.ts";
import { PolledRows } from "./polled-rows.ts";
import { TakenRow } from "./taken-row.ts";

/** Throws for invalid options. */
export function sqlSource(options: SqlOptions, context: SourceContext): Source {
  const table = new PolledTable(options, context);
  return polledSource(
    {
      ...{ scheme: "sql", word: "row", options },
      failureEndsPoll: options.transacted,
      poll: () => table.poll(),
      settle: (ended) => table.settle(ended),
    },
    context,
  );
}

class PolledTable {
  readonly #options: SqlOptions;
  readonly #context: SourceContext;
  readonly #rows: PolledRows;
  readonly #marks: Marks;
  /** Rows of the last page that were marked, and those that were not, which come again before others. */
  #marked = 0;
  #unmarked = 0;

  constructor(options: SqlOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#rows = new PolledRows(options, context);
    this.#marks = new Marks(options, context, this.#rows.connection);
  }

  async poll(): Promise<Page<TakenRow>> {
    const { messages, isPart, key } = await this.#rows.read(this.#unmarked);
    this.#marked = 0;
    this.#unmarked = 0;
    const size = messages.length;
    return {
      size,
      isPart,
      claim: (index) => new TakenRow(this.#options, { body: messages[index], index, size, key, lane: this }),
      end: async () => {
        await this.#marks.complete();
        // Those of this page do not stand before further ones any more.
        return isPart && this.#marked > 0;
      },
    };
  }

  /** Rejects when the poll cannot go on. */
  async settle(ended: Ended<TakenRow>): Promise<void> {
    const { breakBatchOnConsumeFail, onConsume } = this.#options;
    const isMarked = await this.#mark(ended).catch((error: unknown) => {
      if (breakBatchOnConsumeFail) throw error;
      this.#context.log("WARN", "sql", `a row could not be marked, and comes again: ${exceptionMessage(error)}`);
      return false;
    });
    if (isMarked) this.#marked += 1;
    else this.#unmarked += 1;
    if (!isMarked && onConsume !== undefined) await this.#rows.reach();
  }

  /** Resolves false for a row that comes again. Rejects when it could not be marked. */
  async #mark({ taken, outcome, exchange }: Ended<TakenRow>): Promise<boolean> {
    const { body, transaction } = taken;
    if (outcome === "done") {
      try {
        const isMarked = await this.#marks.done(body, exchange, transaction);
        await transaction?.end(true);
        return isMarked;
      } catch (error) {
        await transaction?.end(false).catch(() => {});
        throw error;
      }
    }
    await transaction?.end(false);
    if (outcome === "lost") return false;
    if (await this.#marks.failed(body, exchange)) return true;
    // Otherwise a row that always ends its thread would come again without end.
    return outcome === "givenUp" && (await this.#marks.done(body, exchange, undefined));
  }
}
