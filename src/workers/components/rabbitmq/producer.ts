/** Sends a message to an exchange, and waits until the server has taken it, or for the reply (Camel: SpringRabbitMQProducer). */

import { randomHex } from "../../../shared/ids.ts";
import type { Outgoing } from "../../connectors/rabbitmq/channel.ts";
import type { RabbitClient } from "../../connectors/rabbitmq/client.ts";
import { amqpFailure } from "../../connectors/rabbitmq/failure.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Message } from "../../engine/message.ts";
import type { Processor } from "../../engine/processor.ts";
import { unlessAborted, within } from "../../engine/waiting.ts";
import type { RabbitConnection } from "./connection.ts";
import { bodyOf, headersOf } from "./incoming.ts";
import type { HeaderNames } from "./names.ts";
import { outgoing } from "./outgoing.ts";
import { Declared, type Topology } from "./topology.ts";

export interface ProducerPlan {
  readonly connection: RabbitConnection;
  readonly names: HeaderNames;
  /** Where messages go unless their headers name something else; "": the default exchange. */
  readonly exchange: string;
  readonly routingKey: string;
  /** false: headers name no other target. */
  readonly redirects: boolean;
  readonly topology: Topology;
  readonly allowNullBody: boolean;
  /** true: headers without a value are sent, too. */
  readonly nullHeaders: boolean;
  readonly mandatory: (message: Message) => boolean;
  /** Whether an InOut message waits for a reply. */
  readonly replies: boolean;
  /** undefined: the message's own. */
  readonly pattern: Exchange["pattern"] | undefined;
  readonly confirmMs: number;
  readonly replyMs: (message: Message) => number;
}

export function rabbitProducer(plan: ProducerPlan, context: ProducerContext): Processor {
  const endpoint = new RabbitEndpoint(plan, context);
  return (exchange) => endpoint.process(exchange);
}

class RabbitEndpoint {
  readonly #plan: ProducerPlan;
  readonly #declared: Declared;
  readonly #totalMs: number;
  readonly #maxBytes: number;

  constructor(plan: ProducerPlan, { limits }: ProducerContext) {
    this.#plan = plan;
    this.#declared = new Declared(plan.topology);
    this.#totalMs = limits.outboundTotalMs;
    this.#maxBytes = limits.messageBodyBytes;
  }

  async process(exchange: Exchange): Promise<void> {
    const { replies, pattern = exchange.pattern } = this.#plan;
    const asks = replies && pattern === "InOut";
    const { ms, late } = this.#deadline(asks ? this.#plan.replyMs(exchange.message) : 0);
    const message = this.#outgoing(exchange);
    await within(ms, exchange.run.signal, late, async (signal) => {
      const { client, release } = await this.#plan.connection.share(exchange.run, signal);
      try {
        await unlessAborted(this.#declared.on(client), signal);
        if (asks) await this.#ask(exchange, message, client, signal);
        else await this.#send(exchange, message, client, signal);
      } finally {
        release();
      }
    });
  }

  /** `replyMs` 0 or less: the reply may take as long as a call may, or there is none. */
  #deadline(replyMs: number): { readonly ms: number; readonly late: () => Error } {
    const ms = this.#totalMs;
    if (replyMs > 0 && replyMs <= ms)
      return {
        ms: replyMs,
        late: () => amqpFailure("core.AmqpReplyTimeoutException", `no reply has come within ${replyMs} ms`),
      };
    return { ms, late: () => limitExceeded("outboundTotalMs", `a message to RabbitMQ takes at most ${ms} ms`) };
  }

  #outgoing({ message, run: { traceparent } }: Exchange): Outgoing {
    const { names, redirects, allowNullBody, nullHeaders, mandatory } = this.#plan;
    const target = (name: string, otherwise: string): string => {
      const value = redirects ? message.headers.get(name) : undefined;
      // Headers that name a target are for one step, unless they are a property of the message.
      if (name !== names.routingKey) message.headers.delete(name);
      return value === null || value === undefined ? otherwise : asText(value);
    };
    const exchange = target(names.toExchange, this.#plan.exchange);
    const routingKey = target(names.toRoutingKey, this.#plan.routingKey);
    for (const [what, text] of [
      ["exchange", exchange],
      ["routing key", routingKey],
    ] as const)
      if (Buffer.byteLength(text) > 255)
        throw new FlowException("java.lang.IllegalArgumentException", `the ${what} has more than 255 bytes`);
    const { content, properties } = outgoing(message, {
      names,
      allowNullBody,
      nullHeaders,
      maxBytes: this.#maxBytes,
      traceparent,
    });
    return {
      ...{ content, properties, routingKey },
      exchange: exchange.toLowerCase() === "default" ? "" : exchange,
      mandatory: mandatory(message),
    };
  }

  /** Messages of runs that have turns share a channel. Others are published behind those. */
  async #send({ run }: Exchange, message: Outgoing, client: RabbitClient, signal: AbortSignal): Promise<void> {
    const ms = this.#plan.confirmMs;
    const isPipelined = run.turn !== undefined && !message.mandatory;
    await within(
      ms,
      signal,
      () => unconfirmed(client, ms),
      async (until) => {
        if (isPipelined) return await client.pipeline.publish(message, until, () => run.handedOver());
        await unlessAborted(client.pipeline.known(), until);
        await client.withPublisher(until, (channel) => channel.publish(message));
      },
    );
  }

  async #ask(exchange: Exchange, message: Outgoing, client: RabbitClient, signal: AbortSignal): Promise<void> {
    const { names } = this.#plan;
    // A request that no queue gets has no reply.
    const asked = { ...message, mandatory: true };
    const id = message.properties.correlationId ?? randomHex(32);
    await unlessAborted(client.pipeline.known(), signal);
    const reply = await client.withPublisher(signal, (channel) => channel.request(asked, id));
    if (reply.content === undefined)
      throw limitExceeded(
        "messageBodyBytes",
        `a reply's body has at most ${this.#maxBytes} bytes, and this one has ${reply.size}`,
      );
    exchange.message.body = bodyOf(reply.content, reply, names);
    for (const [name, value] of headersOf(reply, names)) exchange.message.headers.set(name, value);
  }
}

function unconfirmed({ blocked }: RabbitClient, ms: number): Error {
  const why = blocked === undefined ? "" : `: the server takes no messages at present (${blocked})`;
  return new FlowException("java.util.concurrent.TimeoutException", `Message not sent within ${ms} millis${why}`);
}
