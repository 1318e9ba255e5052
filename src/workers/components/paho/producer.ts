/** Sends each message to a topic (Camel: PahoMqtt5Producer and PahoProducer 4.22). */
import type { Publication, Qos } from "../../connectors/mqtt/client.ts";
import { bodyBytes } from "../../engine/body-bytes.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { asText, truthy } from "../../engine/convert.ts";
import { exceptionMessage, FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { traceparentOf } from "../../engine/trace-context.ts";
import { within } from "../../engine/waiting.ts";
import { checkTopic, connectionOf, type MqttConnection, type PahoOptions, producerSession } from "./connection.ts";
import { readProperties, withTrace } from "./properties.ts";

/** Throws an Error that names the fault of the endpoint. */
export function pahoProducer(options: PahoOptions, context: ProducerContext): Processor {
  const endpoint = new Topic(options, context);
  return (exchange) => endpoint.process(exchange);
}

class Topic {
  readonly #options: PahoOptions;
  readonly #totalMs: number;
  readonly #connection: MqttConnection;
  /** What the names of its headers begin with. */
  readonly #prefix: string;

  constructor(options: PahoOptions, context: ProducerContext) {
    checkTopic(options.topic, "topic");
    this.#options = options;
    this.#totalMs = context.limits.outboundTotalMs;
    this.#prefix = options.version === 5 ? "CamelPahoMqtt5" : "CamelPaho";
    this.#connection = connectionOf(options, context, producerSession(options));
  }

  async process(exchange: Exchange): Promise<void> {
    const message = this.#publicationOf(exchange);
    const { run } = exchange;
    const ms = this.#totalMs;
    const late = (): Error => limitExceeded("outboundTotalMs", `the broker confirms a message within ${ms} ms`);
    await within(ms, run.signal, late, async (signal) => {
      const lease = await this.#connection.share(run, signal);
      try {
        await lease.client.publish(message, signal, () => run.handedOver());
      } finally {
        lease.release();
      }
    });
  }

  /** The message's headers come before the endpoint's options. */
  #publicationOf(exchange: Exchange): Publication {
    const { body, headers } = exchange.message;
    const { topic, qos, retained, version } = this.#options;
    const given = (name: string): unknown => headers.get(`${this.#prefix}${name}`) ?? undefined;
    const [overrideTopic, ownQos, ownRetained] = [given("OverrideTopic"), given("Qos"), given("Retained")];
    const properties =
      version === 5 ? withTrace(readProperties(given("MsgProperties")), traceparentOf(exchange)) : undefined;
    return {
      topic: overrideTopic === undefined ? topic : this.#topicOf(asText(overrideTopic)),
      payload: bodyBytes(body, exchange.run.limits.messageBodyBytes),
      qos: ownQos === undefined ? qosOf(qos, "qos") : qosOf(ownQos, `the header ${this.#prefix}Qos`),
      retain: ownRetained === undefined ? retained : truthy(ownRetained),
      ...(properties !== undefined && { properties }),
    };
  }

  #topicOf(text: string): string {
    try {
      checkTopic(text, `the header ${this.#prefix}OverrideTopic`);
      return text;
    } catch (error) {
      throw new FlowException("java.lang.IllegalArgumentException", exceptionMessage(error));
    }
  }
}

function qosOf(value: unknown, what: string): Qos {
  const text = asText(value).trim();
  if (text === "0" || text === "1" || text === "2") return Number(text) as Qos;
  throw new FlowException(
    "java.lang.IllegalArgumentException",
    `${what} is '${text.slice(0, 100)}', and 0, 1 or 2 is expected`,
  );
}
