/** A row of a poll, as a message. */
import type { Taken } from "../../engine/attended/attended.ts";
import { RunTransaction } from "../../engine/run-transaction.ts";
import type { NewMessage } from "../../engine/source.ts";
import type { SqlOptions } from "./options.ts";

interface RowParts {
  readonly body: unknown;
  readonly index: number;
  /** The number of rows of its page. */
  readonly size: number;
  readonly key: (body: unknown) => string;
  readonly lane: object;
}

export class TakenRow implements Taken {
  readonly #isTransacted: boolean;
  readonly #parts: RowParts;
  readonly body: unknown;
  readonly lane: object;
  readonly redelivered = false;
  readonly comesAnew = true;
  /** A row that is not marked as failed comes again. */
  readonly keeps: boolean;
  /** That of its run. */
  transaction: RunTransaction | undefined;

  constructor({ transacted, onConsumeFailed }: SqlOptions, parts: RowParts) {
    this.#isTransacted = transacted;
    this.#parts = parts;
    this.body = parts.body;
    this.lane = parts.lane;
    this.keeps = onConsumeFailed !== undefined;
  }

  message(givesUp: boolean): NewMessage {
    const { body, index, size } = this.#parts;
    // It is marked whatever its route's error handler does.
    this.transaction = this.#isTransacted && !givesUp ? new RunTransaction() : undefined;
    return {
      body,
      properties: [
        ["CamelBatchIndex", index],
        ["CamelBatchSize", size],
        ["CamelBatchComplete", index === size - 1],
      ],
      ...(this.transaction !== undefined && { transaction: this.transaction }),
    };
  }

  key(): string {
    return this.#parts.key(this.body);
  }
}
