/** Offers a message, and settles it when its run has ended (Camel: EndpointMessageListener). */
import { createHash } from "node:crypto";
import type { AmqpClient, AmqpDelivery, AmqpMessage, AmqpNode, AmqpTransaction } from "../../connectors/amqp-client.ts";
import { type Deliveries, mostDeliveries } from "../../engine/deliveries.ts";
import { exceptionMessage, NotKept } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { RunTransaction } from "../../engine/run-transaction.ts";
import type { NewMessage, Offer, Settled, SourceContext } from "../../engine/source.ts";
import { writeJson } from "../../engine/write-json.ts";
import { BrokerTransaction, ownerOf } from "./broker-transaction.ts";
import type { JmsConnection } from "./connection.ts";
import type { JmsOptions } from "./options.ts";
import { type Received, receivedMessage } from "./received-message.ts";
import { type ReplyPlace, replyPlace, sendReply } from "./reply.ts";

/** Of a message without an id, whose content stands for one. */
const mostKeyBytes = 64 * 1024 * 1024;
/** How long the broker may take to begin a transaction. */
const beginMs = 30_000;

export interface MessageParts {
  readonly options: JmsOptions;
  readonly context: SourceContext;
  readonly connection: JmsConnection;
  readonly from: AmqpNode;
  readonly isTransacted: boolean;
  readonly deliveries: Deliveries;
}

interface Taken {
  readonly client: AmqpClient;
  readonly address: string;
  readonly delivery: AmqpDelivery;
}

/** Resolves when the message is settled; false: its run did not begin. Does not reject. */
export async function handleMessage(parts: MessageParts, taken: Taken, offer: Offer): Promise<boolean> {
  const { context } = parts;
  const { delivery } = taken;
  try {
    return await new OneMessage(parts, taken).handle(offer);
  } catch (error) {
    // Only what follows the run fails here, so that the message comes again.
    context.log("WARN", "jms", `a message of '${context.routeId}' comes again: ${exceptionMessage(error)}`);
    delivery.settle("failed");
    return false;
  }
}

class OneMessage {
  readonly #parts: MessageParts;
  readonly #taken: Taken;

  constructor(parts: MessageParts, taken: Taken) {
    this.#parts = parts;
    this.#taken = taken;
  }

  async handle(offer: Offer): Promise<boolean> {
    const { delivery, address } = this.#taken;
    const { options, context, from } = this.#parts;
    const { message } = delivery;
    if (message === undefined) return await this.#unreadable(offer, delivery.unreadable);
    let received: Received;
    try {
      received = receivedMessage(message, { type: from.type, address }, options.jmsKeyFormatStrategy, context.limits);
    } catch (error) {
      return await this.#unreadable(offer, error);
    }
    const { deliveries } = this.#parts;
    const key = keyOf(message);
    if ((message.deliveryCount ?? 0) > 0) context.report.redelivered();
    const number = await deliveries.count(key);
    try {
      return await (number < mostDeliveries ? this.#run(offer, message, received) : this.#giveUp(offer, key, received));
    } finally {
      await deliveries.forget(key, number);
    }
  }

  /** It would be unreadable at each delivery: the broker moves it to a dead letter queue, or drops it where there is none. */
  async #unreadable(offer: Offer, error: unknown): Promise<boolean> {
    const { address } = this.#taken;
    const headers = [["JMSDestination", address] as const];
    const settled = await offer({ body: null, headers, unreadable: { error } });
    this.#taken.delivery.settle(settled.outcome === "lost" ? "release" : "reject");
    return settled.outcome !== "lost";
  }

  async #giveUp(offer: Offer, key: string, received: Received): Promise<boolean> {
    const settled = await offer({ ...received, failed: { error: this.#parts.deliveries.tooOften(key) } });
    this.#taken.delivery.settle(settled.outcome === "lost" ? "release" : "accept");
    return settled.outcome !== "lost";
  }

  async #run(offer: Offer, message: AmqpMessage, received: Received): Promise<boolean> {
    const { isTransacted, options, from, connection } = this.#parts;
    const { client, address } = this.#taken;
    const place = replyPlace(message, options, { node: from, address }, client);
    const transaction = isTransacted ? new Acknowledgement(connection, client, this.#taken.delivery) : undefined;
    const one: NewMessage = {
      ...received,
      ...((place !== undefined || options.exchangePattern === "InOut") && { pattern: "InOut" }),
      ...(transaction !== undefined && { transaction: transaction.run, keeps: false }),
      giveBack: () => this.#taken.delivery.settle("release"),
    };
    const settled = await offer(one);
    return await this.#settle(settled, message, place, transaction);
  }

  async #settle(
    settled: Settled,
    message: AmqpMessage,
    place: ReplyPlace | undefined,
    transaction: Acknowledgement | undefined,
  ): Promise<boolean> {
    const { delivery } = this.#taken;
    if (settled.outcome === "lost") {
      await transaction?.run.end(false);
      // What has run and cannot be kept is counted, so that it ends.
      delivery.settle(settled.error instanceof NotKept ? "failed" : "release");
      return false;
    }
    const { exchange } = settled;
    const isDone = settled.outcome === "done" && !(transaction !== undefined && exchange.rollback);
    if (isDone) await this.#done(exchange, message, place, transaction);
    else if (transaction === undefined) delivery.settle("accept");
    else await this.#rollBack(transaction);
    return true;
  }

  async #done(
    exchange: Exchange,
    message: AmqpMessage,
    place: ReplyPlace | undefined,
    transaction: Acknowledgement | undefined,
  ): Promise<void> {
    const { delivery, client } = this.#taken;
    const { options, context } = this.#parts;
    if (place !== undefined) {
      try {
        const reply = (to: AmqpClient, within?: AmqpTransaction): Promise<void> =>
          sendReply(exchange, message, place, options, { client: to, transaction: within });
        await (transaction === undefined ? reply(client) : transaction.with(reply));
      } catch (error) {
        context.log("WARN", "jms", `the reply of '${context.routeId}' could not be sent: ${exceptionMessage(error)}`);
        if (transaction !== undefined) return await this.#rollBack(transaction);
      }
    }
    if (transaction === undefined) return delivery.settle("accept");
    try {
      await transaction.commit();
    } catch (error) {
      context.log("WARN", "jms", `a message of '${context.routeId}' comes again: ${exceptionMessage(error)}`);
    }
  }

  async #rollBack(transaction: Acknowledgement): Promise<void> {
    await transaction.run.end(false);
    this.#taken.delivery.settle("failed");
  }
}

/** By what a message is known again. */
function keyOf({ properties, body }: AmqpMessage): string {
  const { messageId } = properties ?? {};
  if (messageId !== undefined && messageId.length <= 200) return messageId;
  const content = messageId ?? writeJson(body, mostKeyBytes);
  return createHash("sha256").update(content).digest("base64url");
}

/** The acknowledgement of a message, with what the route sends to the same broker. */
class Acknowledgement {
  readonly run: RunTransaction;
  readonly #delivery: AmqpDelivery;
  readonly #owner: object;
  readonly #name: string;
  #isAccepted = false;

  constructor(connection: JmsConnection, client: AmqpClient, delivery: AmqpDelivery) {
    this.#delivery = delivery;
    this.#owner = ownerOf(connection);
    this.#name = connection.name;
    const begin = async (): Promise<BrokerTransaction> => {
      const transaction = await client.begin(AbortSignal.timeout(beginMs));
      const before = (): void => {
        this.#isAccepted = true;
        delivery.acceptIn(transaction);
      };
      return new BrokerTransaction(client, transaction, { before });
    };
    this.run = new RunTransaction({ only: { owner: this.#owner, begin } });
  }

  async with(use: (client: AmqpClient, transaction: AmqpTransaction) => Promise<void>): Promise<void> {
    // The transaction has its own way to begin.
    const begin = (): Promise<BrokerTransaction> => Promise.reject(new Error("it is begun by the consumer"));
    await this.run.with({ owner: this.#owner, name: this.#name, begin }, ({ client, transaction }) =>
      use(client, transaction),
    );
  }

  /** Rejects when nothing was committed: the message comes again then. */
  async commit(): Promise<void> {
    await this.run.end(true);
    if (!this.#isAccepted) this.#delivery.settle("accept");
  }
}
