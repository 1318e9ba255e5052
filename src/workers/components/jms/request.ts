/** Sends a message and waits for the reply (Camel: JmsProducer.processInOut). */
import type { AmqpClient, AmqpMessage, AmqpNode } from "../../connectors/amqp-client.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { after } from "../../engine/waiting.ts";
import { readDestination } from "./destination.ts";
import type { JmsOptions } from "./options.ts";
import { qualityOf } from "./quality.ts";
import {
  newCorrelationId,
  newRequestId,
  ReplyQueue,
  replySelector,
  selectorProperty,
  sharedReplyQueue,
} from "./replies.ts";
import { newMessageId, sentMessage } from "./sent-message.ts";

export interface Asked {
  readonly client: AmqpClient;
  readonly exchange: Exchange;
  readonly options: JmsOptions;
  readonly destination: AmqpNode;
  /** Ends the wait for the broker and for the reply. */
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

/** Throws an Error for options that contradict each other. */
export function checkReplyOptions(options: JmsOptions): void {
  const { replyTo, replyToType, replyToDestinationSelectorName, useMessageIDAsCorrelationID } = options;
  if (useMessageIDAsCorrelationID && !options.messageIdEnabled)
    throw new Error("useMessageIDAsCorrelationID needs the id of each message: leave messageIdEnabled out");
  const fixed = replyToType === "Shared" || replyToType === "Exclusive";
  if (fixed && replyTo === undefined)
    throw new Error(`replyToType=${replyToType} needs replyTo, the queue at which replies are awaited`);
  if (replyToType === "Temporary" && replyTo !== undefined)
    throw new Error("replyToType=Temporary awaits replies at a queue that the broker names: leave replyTo out");
  if (replyToDestinationSelectorName !== undefined && replyTo === undefined)
    throw new Error("replyToDestinationSelectorName chooses among the replies at a fixed queue: write replyTo, too");
}

/** Resolves with the reply. Rejects with ExchangeTimedOutException when none has come in time. */
export async function request(asked: Asked): Promise<AmqpMessage> {
  const { client, exchange, options, destination, signal } = asked;
  const ms = timeoutOf(exchange, options);
  const chosen = chosenId(exchange, options);
  const messageId = options.useMessageIDAsCorrelationID ? newRequestId() : newMessageId();
  const id = options.useMessageIDAsCorrelationID ? messageId : (chosen ?? newCorrelationId());
  const isOwn = chosen !== undefined && !options.useMessageIDAsCorrelationID;
  const { queue, release } = await queueFor(asked, isOwn ? id : undefined);
  const reply = queue.expect(id);
  try {
    const override = options.replyToOverride === undefined ? undefined : readDestination(options.replyToOverride);
    const replyTo = override ?? queue.node;
    const property = options.correlationProperty;
    const message = sentMessage(exchange, options, {
      destination,
      address: client.addressOf(destination),
      quality: qualityOf(exchange, options, options.disableTimeToLive ? undefined : ms),
      replyTo: { node: replyTo, address: override === undefined ? queue.address : client.addressOf(override) },
      messageId,
      correlationId: property !== undefined ? undefined : options.useMessageIDAsCorrelationID ? chosen : id,
      properties: { ...selectorProperty(options), ...(property !== undefined && { [property]: id }) },
    });
    await client.send(destination, message, { signal });
    return await inTime(reply.promise, ms, signal, `${id} has arrived at ${queue.address}`);
  } finally {
    reply.cancel();
    await release();
  }
}

async function queueFor(
  { client, options, exchange, warn }: Asked,
  own: string | undefined,
): Promise<{ readonly queue: ReplyQueue; release(): Promise<void> }> {
  const { limits } = exchange.run;
  const more = { maxBytes: limits.messageBodyBytes + limits.headerBytes, warn };
  const node = options.replyTo === undefined ? undefined : readDestination(options.replyTo);
  if (node === undefined || own === undefined || options.replyToDestinationSelectorName !== undefined)
    return { queue: await sharedReplyQueue(client, node, options, more), release: async () => {} };
  // Others may await replies at the queue, and this thread cannot be recognised by an id that the flow has chosen.
  const queue = await ReplyQueue.open(client, node, options, {
    ...more,
    selector: replySelector(options, own),
    ended: () => {},
  });
  return { queue, release: () => queue.close() };
}

/** The correlation id that the flow has given the message. */
function chosenId({ message }: Exchange, { correlationProperty }: JmsOptions): string | undefined {
  const value = message.headers.get(correlationProperty ?? "JMSCorrelationID");
  return value === undefined || value === null || value === "" ? undefined : asText(value);
}

function timeoutOf({ message }: Exchange, { requestTimeout }: JmsOptions): number {
  const value = message.headers.get("CamelJmsRequestTimeout");
  if (value === undefined || value === null) return requestTimeout;
  const ms = Number(value);
  if (Number.isInteger(ms) && ms > 0) return ms;
  throw new FlowException(
    "java.lang.IllegalArgumentException",
    `the header CamelJmsRequestTimeout is a number of milliseconds, and not '${asText(value).slice(0, 40)}'`,
  );
}

async function inTime<T>(promise: Promise<T>, ms: number, signal: AbortSignal, what: string): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const cancel = after(ms, () =>
      reject(
        new FlowException(
          "org.apache.camel.ExchangeTimedOutException",
          `no reply has come within ${ms} ms: nothing with the correlation id ${what}`,
        ),
      ),
    );
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      cancel();
      signal.removeEventListener("abort", abort);
    });
  });
}
