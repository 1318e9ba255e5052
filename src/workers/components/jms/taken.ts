/** A message that the broker has delivered, with what becomes of it (Camel: EndpointMessageListener). */
import { createHash } from "node:crypto";
import type { AmqpClient, AmqpDelivery, AmqpMessage, AmqpNode, AmqpTransaction } from "../../connectors/amqp-client.ts";
import type { Ended, Taken } from "../../engine/attended/attended.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { NewMessage, SourceContext } from "../../engine/source.ts";
import { writeJson } from "../../engine/write-json.ts";
import { Acknowledgement } from "./acknowledgement.ts";
import type { JmsConnection } from "./connection.ts";
import type { JmsOptions } from "./options.ts";
import { type Received, receivedMessage } from "./received-message.ts";
import { type ReplyPlace, replyPlace, sendReply } from "./reply.ts";

/** Of a message without an id, whose content stands for one. */
const mostKeyBytes = 64 * 1024 * 1024;

export interface TakenParts {
  readonly options: JmsOptions;
  readonly context: SourceContext;
  readonly connection: JmsConnection;
  readonly from: AmqpNode;
  readonly isTransacted: boolean;
}

interface Unreadable {
  readonly body: null;
  readonly unreadable: { readonly error: unknown };
}

export class JmsTaken implements Taken {
  /** The link that has delivered it. */
  readonly lane: object;
  readonly #parts: TakenParts;
  readonly #client: AmqpClient;
  readonly #delivery: AmqpDelivery;
  readonly #received: Received | Unreadable;
  readonly #place: ReplyPlace | undefined;
  readonly #address: string;
  #transaction: Acknowledgement | undefined;

  constructor(
    parts: TakenParts,
    from: { readonly client: AmqpClient; readonly link: object; readonly address: string },
    delivery: AmqpDelivery,
  ) {
    this.lane = from.link;
    this.#parts = parts;
    this.#client = from.client;
    this.#address = from.address;
    this.#delivery = delivery;
    this.#received = this.#read();
    const { message } = delivery;
    if (message !== undefined && !this.#isUnreadable)
      this.#place = replyPlace(message, parts.options, { node: parts.from, address: from.address }, from.client);
  }

  message(): NewMessage {
    const { isTransacted, options, connection } = this.#parts;
    if (this.#isUnreadable) return { ...this.#received, headers: [["JMSDestination", this.#address]] };
    // Of the run before, which did not begin.
    void this.#transaction?.run.end(false);
    this.#transaction = isTransacted ? new Acknowledgement(connection, this.#client, this.#delivery) : undefined;
    return {
      ...this.#received,
      ...((this.#place !== undefined || options.exchangePattern === "InOut") && { pattern: "InOut" }),
      ...(this.#transaction !== undefined && { transaction: this.#transaction.run }),
    };
  }

  get bytes(): number {
    return this.#delivery.bytes;
  }

  key(): string {
    const { properties, body } = this.#delivery.message as AmqpMessage;
    const { messageId } = properties ?? {};
    if (messageId !== undefined && messageId.length <= 200) return messageId;
    const content = messageId ?? writeJson(body, mostKeyBytes);
    return createHash("sha256").update(content).digest("base64url");
  }

  get redelivered(): boolean {
    return (this.#delivery.message?.deliveryCount ?? 0) > 0;
  }

  /** The broker moves away at once what cannot be read. */
  get deliveries(): 0 | undefined {
    return this.#isUnreadable ? 0 : undefined;
  }

  get keeps(): boolean {
    return this.#isUnreadable || !this.#parts.isTransacted;
  }

  comesBack(): boolean {
    return this.#parts.isTransacted && !this.#isUnreadable;
  }

  async reply(exchange: Exchange): Promise<void> {
    const place = this.#place;
    if (place === undefined) return;
    const send = (client: AmqpClient, transaction?: AmqpTransaction): Promise<void> =>
      sendReply(exchange, this.#delivery.message as AmqpMessage, place, this.#parts.options, { client, transaction });
    await (this.#transaction === undefined ? send(this.#client) : this.#transaction.with(send));
  }

  giveBack(): void {
    this.#delivery.settle("release");
  }

  /** Does not reject: what is not committed comes again. */
  async settle({ outcome }: Ended<JmsTaken>): Promise<void> {
    const transaction = this.#transaction;
    if (outcome === "lost" || (outcome === "failed" && transaction !== undefined)) {
      await transaction?.run.end(false);
      this.#delivery.settle(outcome === "lost" ? "release" : "failed");
    } else if (transaction === undefined) this.#delivery.settle(this.#isUnreadable ? "reject" : "accept");
    else await this.#commit(transaction);
  }

  async #commit(transaction: Acknowledgement): Promise<void> {
    const { context } = this.#parts;
    try {
      await transaction.commit();
    } catch (error) {
      context.log(
        "WARN",
        "jms",
        `the broker delivers a message of '${context.routeId}' again: ${exceptionMessage(error)}`,
      );
    }
  }

  get #isUnreadable(): boolean {
    return "unreadable" in this.#received;
  }

  #read(): Received | Unreadable {
    const { options, context, from } = this.#parts;
    const { message, unreadable } = this.#delivery;
    if (message === undefined) return { body: null, unreadable: { error: unreadable } };
    try {
      return receivedMessage(
        message,
        { type: from.type, address: this.#address },
        options.jmsKeyFormatStrategy,
        context.limits,
      );
    } catch (error) {
      return { body: null, unreadable: { error } };
    }
  }
}
