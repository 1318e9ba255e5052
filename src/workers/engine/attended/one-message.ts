/** Runs a message that was taken until its outcome is known: counted after a loss, tried again in place, replied to. */
import { BackOff } from "../connections/back-off.ts";
import { type Deliveries, mostDeliveries } from "../deliveries.ts";
import { exceptionMessage } from "../exception.ts";
import type { Exchange } from "../exchange.ts";
import type { NewMessage, Offer, Settled, SourceContext } from "../source.ts";
import { rest } from "../waiting.ts";
import type { Ended, MessageRules, Taken } from "./attended.ts";
import { type Turn, Withdrawn } from "./turn.ts";

/** The longest pause before a message is tried again whose run could not begin, or which has failed and comes back. */
const mostPauseMs = 5000;

export interface MessageParts<T extends Taken> {
  readonly attended: MessageRules;
  readonly context: SourceContext;
  /** undefined: messages are not counted after a loss. */
  readonly deliveries: Deliveries | undefined;
  readonly offer: Offer;
  /** Aborted when the source takes no more messages. */
  readonly stop: AbortSignal;
  /** Gives the message back whose run should long have ended. */
  readonly giveBack: ((taken: T) => void) | undefined;
}

export class OneMessage<T extends Taken> {
  readonly #parts: MessageParts<T>;
  /** By lane: the pauses after failures in a row. */
  readonly #pauses = new WeakMap<object, BackOff>();

  constructor(parts: MessageParts<T>) {
    this.#parts = parts;
  }

  /** Rejects when the message could not be counted: it has not run then. */
  async run(taken: T, turn?: Turn): Promise<Ended<T>> {
    const { attended, deliveries, context } = this.#parts;
    if (taken.redelivered) context.report.redelivered();
    if (deliveries === undefined || attended.atMostOnce === true) return await this.#offered(taken, 1, turn);
    if (taken.deliveries !== undefined) return await this.#offered(taken, taken.deliveries + 1, turn);
    if (!deliveries.careful) return await this.#offered(taken, 1, turn);
    const key = taken.key();
    const delivery = await deliveries.count(key, this.#behind(taken));
    if (delivery > 1 && !taken.redelivered) context.report.redelivered();
    try {
      return await this.#offered(taken, delivery, turn);
    } finally {
      await deliveries
        .forget(key, delivery)
        .catch((error: unknown) => this.#warn(`a note could not be removed: ${exceptionMessage(error)}`));
    }
  }

  #behind({ redelivered }: T): 0 | 1 | undefined {
    if (this.#parts.attended.marksRedelivered !== true) return undefined;
    return redelivered ? 1 : 0;
  }

  /** After a failure of a message that comes back, its server gets it after a pause. Does not reject. */
  async rest({ taken, outcome, exchange }: Ended<T>): Promise<void> {
    if (outcome === "failed" && taken.comesBack?.(exchange) === true) await this.#pause(taken.lane);
    else if (outcome === "done") this.#pauses.delete(taken.lane);
  }

  async #offered(taken: T, delivery: number, turn: Turn | undefined): Promise<Ended<T>> {
    const { attended, deliveries, offer, giveBack, stop } = this.#parts;
    const { most, pauseMs } = attended.attempts ?? once;
    const isPoison = delivery >= mostDeliveries;
    for (let attempt = 1; ; ) {
      const made: NewMessage = taken.message(isPoison);
      // What cannot be read cannot be read the next time.
      const isLast = isPoison || made.unreadable !== undefined || attempt >= most;
      const settled = await this.#judged(
        taken,
        await offer({
          ...made,
          turn,
          keeps: isPoison || (isLast && taken.keeps),
          ...(giveBack !== undefined && { giveBack: () => giveBack(taken) }),
          ...(isPoison && { failed: { error: deliveries?.tooOften(taken.key()) } }),
        }),
      );
      if (settled.outcome === "lost") {
        turn?.reset();
        if (turn?.mustReturn === true) return { taken, outcome: "lost" };
        if (settled.error instanceof Withdrawn) continue;
        if (!(await this.#pause(taken.lane)) || taken.comesAnew === true) return { taken, outcome: "lost" };
        continue;
      }
      const { exchange } = settled;
      if (isPoison) return { taken, outcome: "givenUp", exchange };
      if (settled.outcome === "done" || isLast) return { taken, outcome: settled.outcome, exchange };
      attempt += 1;
      turn?.reset();
      await rest(pauseMs, stop);
      if (stop.aborted) return { taken, outcome: "lost" };
    }
  }

  /** A run whose reply could not be sent, or that was marked for rollback, has failed. */
  async #judged(taken: T, settled: Settled): Promise<Settled> {
    if (settled.outcome !== "done") return settled;
    const { exchange } = settled;
    if (exchange.rollback === true) {
      const error = new Error("the route was marked for rollback");
      // What settles it may name it: ${exception.message}.
      exchange.exception = error;
      return { outcome: "failed", exchange, error };
    }
    if (taken.reply === undefined) return settled;
    return await this.#replied(taken, settled, exchange);
  }

  async #replied(taken: T, settled: Settled, exchange: Exchange): Promise<Settled> {
    try {
      await taken.reply?.(exchange);
      return settled;
    } catch (error) {
      this.#warn(`the reply of '${this.#parts.context.routeId}' could not be sent: ${exceptionMessage(error)}`);
      return { outcome: "failed", exchange, error };
    }
  }

  /** Resolves false when the source stops meanwhile. */
  async #pause(lane: object): Promise<boolean> {
    const { stop } = this.#parts;
    let pauses = this.#pauses.get(lane);
    if (pauses === undefined) {
      pauses = new BackOff(mostPauseMs);
      this.#pauses.set(lane, pauses);
    }
    pauses.failed();
    await rest(pauses.waitMs, stop);
    return !stop.aborted;
  }

  #warn(message: string): void {
    const { context, attended } = this.#parts;
    context.log("WARN", attended.scheme, message);
  }
}

const once = { most: 1, pauseMs: 0 } as const;
