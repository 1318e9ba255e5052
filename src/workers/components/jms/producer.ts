/** Sends a message for each exchange, and waits for a reply if one is expected (Camel: JmsProducer 4.22). */
import type { AmqpNode } from "../../connectors/amqp-client.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { asText } from "../../engine/convert.ts";
import { limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { within } from "../../engine/waiting.ts";
import { outside, withBroker } from "./broker-transaction.ts";
import { connectionOf, type JmsConnection } from "./connection.ts";
import { destinationOfHeader, destinationText, readDestination } from "./destination.ts";
import type { JmsOptions } from "./options.ts";
import { qualityOf } from "./quality.ts";
import { receivedMessage } from "./received-message.ts";
import { checkReplyOptions, request } from "./request.ts";
import { newMessageId, sentMessage } from "./sent-message.ts";

/** Throws an Error that names the fault of the endpoint. */
export function jmsProducer(options: JmsOptions, context: ProducerContext): Processor {
  const endpoint = new JmsEndpoint(options, context);
  return (exchange) => endpoint.process(exchange);
}

class JmsEndpoint {
  readonly #options: JmsOptions;
  readonly #context: ProducerContext;
  readonly #connection: JmsConnection;
  readonly #destination: AmqpNode;

  constructor(options: JmsOptions, context: ProducerContext) {
    this.#options = options;
    this.#context = context;
    this.#destination = readDestination(options.destinationName, options.destinationType);
    checkReplyOptions(options);
    if (options.replyTo !== undefined) readDestination(options.replyTo);
    if (options.replyToOverride !== undefined) readDestination(options.replyToOverride);
    this.#connection = connectionOf(options, context);
  }

  async process(exchange: Exchange): Promise<void> {
    const { exchangePattern = exchange.pattern, disableReplyTo } = this.#options;
    const destination = this.#destinationOf(exchange);
    if (exchangePattern === "InOut" && !disableReplyTo) await this.#request(exchange, destination);
    else await this.#send(exchange, destination);
    exchange.message.headers.set("CamelJMSDestinationProduced", destinationText(destination));
  }

  /** The header CamelJmsDestinationName comes before the endpoint's name, and holds for this step alone. */
  #destinationOf({ message: { headers } }: Exchange): AmqpNode {
    for (const name of ["CamelJmsDestination", "CamelJmsDestinationName"]) {
      const value = headers.get(name);
      if (value === undefined || value === null) continue;
      headers.delete(name);
      return destinationOfHeader(name, value);
    }
    return this.#destination;
  }

  async #send(exchange: Exchange, destination: AmqpNode): Promise<void> {
    const options = this.#options;
    const { headers } = exchange.message;
    const messageId = newMessageId();
    const correlation = headers.get("JMSCorrelationID");
    await this.#withDeadline(exchange, async (signal) => {
      await withBroker(this.#connection, exchange, signal, async (client, transaction) => {
        const replyTo = this.#passedOn(exchange);
        const message = sentMessage(exchange, options, {
          destination,
          address: client.addressOf(destination),
          quality: qualityOf(exchange, options),
          messageId,
          replyTo: replyTo && { node: replyTo, address: client.addressOf(replyTo) },
          correlationId:
            correlation === undefined || correlation === null || correlation === "" ? undefined : asText(correlation),
        });
        const enqueued = transaction === undefined ? () => exchange.run.handedOver() : undefined;
        await client.send(destination, message, { signal, transaction, enqueued });
      });
    });
    if (options.includeSentJMSMessageID && options.messageIdEnabled) headers.set("JMSMessageID", messageId);
  }

  /** Nobody waits for the reply here: JMSReplyTo is sent only if that is wanted. */
  #passedOn({ message }: Exchange): AmqpNode | undefined {
    const { preserveMessageQos, explicitQosEnabled, disableReplyTo, replyTo } = this.#options;
    if (disableReplyTo || !(preserveMessageQos || explicitQosEnabled === true)) return undefined;
    const header = message.headers.get("JMSReplyTo");
    if (header !== undefined && header !== null) return destinationOfHeader("JMSReplyTo", header);
    return replyTo === undefined ? undefined : readDestination(replyTo);
  }

  async #request(exchange: Exchange, destination: AmqpNode): Promise<void> {
    const { run, message } = exchange;
    const chosen = message.headers.get("JMSCorrelationID");
    const warn = (text: string): void => this.#context.log("WARN", "jms", text);
    const reply = await this.#withDeadline(exchange, async (signal) =>
      outside(await this.#connection.share(run, signal), (client) =>
        request({ client, exchange, options: this.#options, destination, signal, warn }),
      ),
    );
    const from = { type: "queue", address: reply.properties?.to ?? "" } as const;
    const { body, headers } = receivedMessage(reply, from, this.#options.jmsKeyFormatStrategy, run.limits);
    for (const [name] of [...message.headers.entries()]) message.headers.delete(name);
    for (const [name, value] of headers) message.headers.set(name, value);
    if (chosen !== undefined && chosen !== null) message.headers.set("JMSCorrelationID", chosen);
    message.body = body;
  }

  /** The signal is aborted when the run must end, and after the limit outboundTotalMs. */
  #withDeadline<T>({ run }: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ms = run.limits.outboundTotalMs;
    const late = (): Error =>
      limitExceeded("outboundTotalMs", `sending a message and waiting for its reply takes at most ${ms} ms`);
    return within(ms, run.signal, late, work);
  }
}
