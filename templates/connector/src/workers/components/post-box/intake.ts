/** Offers the messages of a connection, and settles each when its run has ended. */
import { BackOff } from "../../../../../../src/workers/engine/connections/back-off.ts";
import { type Deliveries, mostDeliveries } from "../../../../../../src/workers/engine/deliveries.ts";
import { limitExceeded } from "../../../../../../src/workers/engine/exception.ts";
import type { NewMessage, Offer, SourceContext } from "../../../../../../src/workers/engine/source.ts";
import { wait } from "../../../../../../src/workers/engine/waiting.ts";
import type { QueueClient, Received } from "../../connectors/post-box/client.ts";

/** The longest pause between two attempts to begin a run. */
const mostPauseMs = 10_000;

export interface IntakeParts {
  readonly context: SourceContext;
  readonly deliveries: Deliveries;
  readonly queue: string;
  readonly offer: Offer;
  /** Aborted when no message may be taken any more: those that come go back to the queue. */
  readonly over: AbortSignal;
}

export class Intake {
  readonly #client: QueueClient;
  readonly #parts: IntakeParts;
  readonly #underWay = new Set<Promise<void>>();

  constructor(client: QueueClient, parts: IntakeParts) {
    this.#client = client;
    this.#parts = parts;
  }

  take(message: Received): void {
    const giveBack = (): void => {
      // Nobody waits for its run any more.
      this.#underWay.delete(taken);
      this.#client.drop("a message was not settled within its time, and was given back");
    };
    const taken = this.#run(message, giveBack)
      // It is not known what became of the message: it comes again with the next connection.
      .catch((error: unknown) => this.#client.drop(error))
      .finally(() => this.#underWay.delete(taken));
    this.#underWay.add(taken);
  }

  /** Resolves when no message is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #run(message: Received, giveBack: () => void): Promise<void> {
    const { context, deliveries, queue, over } = this.#parts;
    if (over.aborted) return await this.#client.settle(message.id, "BACK");
    if (message.isAgain) context.report.redelivered();
    const key = `${queue} ${message.id}`;
    const delivery = await deliveries.count(key, message.isAgain ? 1 : 0);
    const failed = delivery >= mostDeliveries ? { failed: { error: deliveries.tooOften(key) } } : {};
    const begun = await this.#offered({ ...this.#messageOf(message), ...failed, giveBack }).finally(() =>
      deliveries.forget(key, delivery),
    );
    await this.#client.settle(message.id, begun ? "DONE" : "BACK");
  }

  /** Offers the message until its run has begun, and resolves when it has ended. Resolves with false when it could not begin. */
  async #offered(message: NewMessage): Promise<boolean> {
    const { offer, over } = this.#parts;
    const backOff = new BackOff(mostPauseMs);
    for (;;) {
      const { outcome } = await offer(message);
      if (outcome !== "lost") return true;
      if (over.aborted) return false;
      backOff.failed();
      await wait(backOff.waitMs, over).catch(() => {});
    }
  }

  /** What is too large becomes a message that cannot be read. */
  #messageOf({ id, isAgain, body }: Received): NewMessage {
    const { context, queue } = this.#parts;
    const { messageBodyBytes: most } = context.limits;
    const headers: NewMessage["headers"] = [
      ["CamelPostBoxQueue", queue],
      ["CamelPostBoxMessageId", id],
      ["CamelPostBoxRedelivered", isAgain],
    ];
    if (body.length <= most) return { body, headers };
    const error = limitExceeded("messageBodyBytes", `a message has at most ${most} bytes`);
    return { body: null, headers, unreadable: { error } };
  }
}
