/** What the steps `poll` and `pollEnrich` do with the message that they take (Camel: PollEnricher). */
import type { AggregationStrategy } from "./aggregation-strategy.ts";
import { takeBranch } from "./branch.ts";
import { exceptionMessage, exceptionType, FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import type { Poll, PolledExchange } from "./poller.ts";

export interface Polling {
  /** Milliseconds; 0: takes only what is there; below 0: until the run ends. */
  readonly timeout: number;
  /** Absent: the polled message replaces the body, and its headers are added. */
  readonly strategy?: AggregationStrategy | undefined;
  readonly aggregateOnException?: boolean;
}

/** Polls for the exchange, and merges what came into it. The polled message is acknowledged when the exchange ends. */
export async function pollInto(exchange: Exchange, poll: Poll, polling: Polling): Promise<void> {
  const polled = await received(exchange, poll, polling.timeout);
  const failure = polled?.exchange.exception;
  if (polled !== undefined && failure !== undefined && polling.aggregateOnException !== true) {
    await polled.settle?.({ exchange: polled.exchange, failed: true, error: failure });
    throw failure;
  }
  try {
    merge(exchange, polled?.exchange, polling.strategy);
  } catch (error) {
    await polled?.settle?.({ exchange, failed: true, error });
    throw wrapped("Error occurred during aggregation", exchange, error);
  }
  const { settle } = polled ?? {};
  if (settle !== undefined) exchange.onDone((failed, error) => settle({ exchange, failed, error }));
  const { exception } = exchange;
  if (exception === undefined) return;
  exchange.exception = undefined;
  throw exception;
}

async function received(exchange: Exchange, poll: Poll, timeout: number): Promise<PolledExchange | undefined> {
  try {
    return await poll(exchange, timeout);
  } catch (error) {
    throw exchange.run.cancelled ? error : wrapped("Error during poll", exchange, error);
  }
}

function merge(exchange: Exchange, polled: Exchange | undefined, strategy: AggregationStrategy | undefined): void {
  if (strategy === undefined) replace(exchange, polled);
  // A strategy of Camel leaves the exchange as it is when nothing was polled.
  else if (polled !== undefined) {
    const result = strategy.aggregate(exchange, polled, exchange);
    if (result !== exchange) takeBranch(exchange, result);
  }
}

/** Keeps headers that the polled message does not have; without a polled message the body becomes null. */
function replace(exchange: Exchange, polled: Exchange | undefined): void {
  const { message } = exchange;
  if (polled === undefined) {
    message.body = null;
    return;
  }
  const { headers: before, attachments } = message.snapshot();
  takeBranch(exchange, polled);
  const { headers } = message;
  if (!polled.message.hasAttachments) message.restore({ ...message.snapshot(), attachments });
  for (const [name, value] of before.entries()) {
    if (headers.has(name)) continue;
    if (before.isWritten(name)) headers.set(name, value);
    else headers.receive(name, value);
  }
}

function wrapped(what: string, exchange: Exchange, cause: unknown): FlowException {
  const message = `${what}. Exchange[${exchange.id}]. Caused by: [${exceptionType(cause)} - ${exceptionMessage(cause)}]`;
  return new FlowException("org.apache.camel.CamelExchangeException", message, { cause });
}
