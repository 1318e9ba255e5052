/** Takes messages from a client, offers each, and acknowledges it when its run has ended. */
import { createHash } from "node:crypto";
import type { BrokerClient } from "../../connectors/mqtt/client.ts";
import type { MqttMessage } from "../../connectors/mqtt/receiving.ts";
import { BackOff } from "../../engine/connections/back-off.ts";
import { Deliveries, mostDeliveries } from "../../engine/deliveries.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Offer, Settled, SourceContext } from "../../engine/source.ts";
import { wait } from "../../engine/waiting.ts";
import type { PahoOptions } from "./connection.ts";
import { newMessage } from "./message.ts";
import { type Taken, Unacknowledged } from "./unacknowledged.ts";

const mostPauseMs = 10_000;

export class Intake {
  readonly #options: PahoOptions;
  readonly #context: SourceContext;
  readonly #deliveries: Deliveries;
  readonly #unacknowledged = new Unacknowledged();
  readonly #underWay = new Set<Promise<void>>();
  /** Those who wait for a message to end. */
  #waiting: (() => void)[] = [];
  #offer: Offer | undefined;
  /** Aborted when no message may be taken any more. */
  #over: AbortSignal = AbortSignal.abort();

  constructor(options: PahoOptions, context: SourceContext) {
    this.#options = options;
    this.#context = context;
    this.#deliveries = new Deliveries(context, { scheme: options.scheme, word: "message" });
  }

  /** Takes the messages of this client from here on, until `over` is aborted. */
  begin(client: BrokerClient, offer: Offer, over: AbortSignal): void {
    this.#offer = offer;
    this.#over = over;
    this.#unacknowledged.begin(client);
    client.receive((message) => this.#take(message, client, over));
  }

  /** Resolves when no message is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** As `settled`; the source takes no more. Does not reject. */
  async rest(): Promise<void> {
    await this.settled();
    await this.#deliveries.end();
  }

  /** Resolves when the next message may be read: with a place for it, and never when no more are taken. */
  async #take(message: MqttMessage, client: BrokerClient, over: AbortSignal): Promise<void> {
    if (over.aborted) return await never();
    const taken = message.qos === 0 ? undefined : this.#unacknowledged.take(message, client);
    if (message.qos > 0 && taken === undefined) return;
    if (message.dup) this.#context.report.redelivered();
    const run = this.#run(message, client, taken)
      .catch((error: unknown) => this.#unsettled(message, client, error))
      .finally(() => {
        this.#underWay.delete(run);
        for (const look of this.#waiting.splice(0)) look();
      });
    this.#underWay.add(run);
    while (this.#underWay.size >= this.#options.concurrentConsumers && !over.aborted)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    if (!over.aborted) await this.#offer?.ready();
    if (over.aborted) await never();
  }

  async #run(message: MqttMessage, client: BrokerClient, taken: Taken | undefined): Promise<void> {
    const { manualAcksEnabled, cleanStart } = this.#options;
    // The broker sends a message again only for a session that it keeps.
    const isCounted = taken !== undefined && !cleanStart;
    const key = isCounted ? keyOf(message) : "";
    const delivery = isCounted ? await this.#count(message, key) : 1;
    const isPoison = delivery >= mostDeliveries;
    const settled = await this.#offered(message, client, isPoison ? this.#deliveries.tooOften(key) : undefined);
    if (isCounted && delivery > 0) await this.#deliveries.forget(key, delivery);
    if (taken === undefined) return;
    const isDone = settled.outcome === "done" && settled.exchange.rollback !== true;
    // Who is not settled is where it was: the broker sends it again to the next client with the id.
    if (settled.outcome === "lost" || (manualAcksEnabled && !isDone && !isPoison)) this.#unacknowledged.leave(taken);
    else this.#unacknowledged.settle(taken);
  }

  /** Resolves with the number of this delivery; 0: it is not counted, since it is the first. */
  async #count(message: MqttMessage, key: string): Promise<number> {
    await this.#deliveries.begin();
    if (message.dup) return await this.#deliveries.count(key, 1);
    // The broker sends what was under way before all that is new.
    await this.#deliveries.calm();
    return 0;
  }

  /** Offers the message until its run has begun, or the source stops. */
  async #offered(message: MqttMessage, client: BrokerClient, failure: Error | undefined): Promise<Settled> {
    const { manualAcksEnabled, version } = this.#options;
    const backOff = new BackOff(mostPauseMs);
    const offered = {
      ...newMessage(message, version, this.#context.limits),
      keeps: !manualAcksEnabled || failure !== undefined || message.qos === 0,
      ...(failure !== undefined && { failed: { error: failure } }),
      // The broker sends it again with the next connection.
      ...(message.qos > 0 && { giveBack: () => client.drop(new Error("a message was given back")) }),
    };
    for (;;) {
      const settled = await (this.#offer as Offer)(offered);
      if (settled.outcome !== "lost" || this.#over.aborted) return settled;
      backOff.failed();
      await wait(backOff.waitMs, this.#over).catch(() => {});
    }
  }

  /** It is not known what became of the message: it comes again with the next connection. */
  #unsettled({ topic }: MqttMessage, client: BrokerClient, error: unknown): void {
    const why = exceptionMessage(error);
    this.#context.log(
      "WARN",
      this.#options.scheme,
      `a message of '${topic}' could not be settled, and comes again: ${why}`,
    );
    client.drop(new Error(`a message could not be settled: ${why}`));
  }
}

/** Messages have no name that outlasts a connection: equal ones are counted as one. */
function keyOf({ topic, payload, qos, cutBytes = payload.length }: MqttMessage): string {
  return createHash("sha256").update(`${qos} ${topic} ${cutBytes}\0`).update(payload).digest("base64url");
}

function never(): Promise<never> {
  return new Promise(() => {});
}
