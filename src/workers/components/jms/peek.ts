/** Looks at the next messages of a queue, or of a durable subscription, over a link that takes none of them. */
import type { AmqpClient, AmqpDelivery, AmqpNode, AmqpReceiver } from "../../connectors/amqp-client.ts";
import type { Lease } from "../../engine/connections/connection.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { PeekedMessage, SourceContext } from "../../engine/source.ts";
import { weightOf } from "../../engine/weight.ts";
import { connectionOf, type JmsConnection } from "./connection.ts";
import type { JmsOptions } from "./options.ts";
import { receivedHeaders, receivedMessage } from "./received-message.ts";
import { subscriptionQueue } from "./subscription.ts";

/** How long a look waits for a connection, and for each answer of the broker. */
const leaseMs = 10_000;
const answerMs = 8000;

type PeekContext = Pick<SourceContext, "routeId" | "limits" | "connection" | "bean">;

export class JmsPeek {
  readonly #options: JmsOptions;
  readonly #context: PeekContext;
  readonly #from: AmqpNode;
  readonly #connection: JmsConnection;
  #isSubscribed = false;

  constructor(options: JmsOptions, context: PeekContext, from: AmqpNode) {
    this.#options = options;
    this.#context = context;
    this.#from = from;
    // The consumer has the client's id, which only one connection may have.
    this.#connection = connectionOf({ ...options, clientId: undefined }, context);
  }

  /** The consumer has its subscription, so that there is one; a look would make it otherwise. */
  subscribed(): void {
    this.#isSubscribed = true;
  }

  /** Resolves with fewer than `limit` when their bodies together reach the limit of one. */
  async messages(limit: number): Promise<readonly PeekedMessage[]> {
    const subscription = subscriptionQueue(this.#options, this.#from, this.#context.routeId);
    if (this.#from.type === "topic" && subscription === undefined)
      throw new Error(
        "a topic keeps no messages for this consumer, so there is nothing to look at: with subscriptionDurable: true they wait for it",
      );
    if (subscription !== undefined && !this.#isSubscribed)
      throw new Error(
        "its subscription is made when the route starts, and may not be there yet: start the route, and look again",
      );
    const lease = await this.#lease();
    try {
      return await this.#browse(lease.client, subscription, limit);
    } finally {
      lease.release();
    }
  }

  async #lease(): Promise<Lease<AmqpClient>> {
    const signal = AbortSignal.timeout(leaseMs);
    try {
      return await this.#connection.share(undefined, signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
      throw new Error(`no connection to the broker was free within ${leaseMs} ms: raise its maxConnections`);
    }
  }

  async #browse(
    client: AmqpClient,
    subscription: string | undefined,
    limit: number,
  ): Promise<readonly PeekedMessage[]> {
    const { messageBodyBytes, headerBytes } = this.#context.limits;
    const seen: PeekedMessage[] = [];
    let bytes = 0;
    let ended: Error | undefined;
    const isEnough = (): boolean => seen.length >= limit || bytes >= messageBodyBytes;
    const receiver = await client.receive(
      {
        node: this.#from,
        subscription,
        selector: this.#options.selector,
        browses: true,
        maxBytes: messageBodyBytes + headerBytes,
      },
      (delivery) => {
        // Those that come beyond are not kept.
        if (isEnough()) return;
        const message = this.#shown(delivery);
        bytes += weightOf(message.body, messageBodyBytes);
        seen.push(message);
      },
      (error) => {
        ended = error;
      },
    );
    try {
      if (!receiver.browses)
        throw new Error("the broker does not let messages be looked at: it would deliver them to whoever looks");
      // A broker whose connection is full takes back what was asked for although there are more.
      for (let before = -1; !isEnough() && seen.length > before; ) {
        before = seen.length;
        receiver.request(limit - seen.length);
        await this.#drained(receiver, isEnough);
        if (ended !== undefined) throw ended;
      }
      return seen;
    } finally {
      await receiver.close();
    }
  }

  async #drained(receiver: AmqpReceiver, isEnough: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(answerMs);
    while (!(await receiver.drain()) && !isEnough())
      if (signal.aborted) throw new Error(`the broker has not answered within ${answerMs} ms`);
  }

  #shown({ message, unreadable }: AmqpDelivery): PeekedMessage {
    if (message === undefined) return { body: null, unreadable };
    const { jmsKeyFormatStrategy } = this.#options;
    const from = { type: this.#from.type, address: this.#from.name };
    try {
      return receivedMessage(message, from, jmsKeyFormatStrategy, this.#context.limits);
    } catch (error) {
      const headers = receivedHeaders(message, from, jmsKeyFormatStrategy);
      return { body: null, headers, unreadable: new Error(exceptionMessage(error)) };
    }
  }
}
