/**
 * The `to` step (Camel: SendProcessor). The property CamelToEndpoint is not set: it would give every exchange a map of
 * properties for the sake of one that is hardly ever read.
 */
import type { Exchange, MessageSnapshot } from "../engine/exchange.ts";
import type { Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";
import { receiveIntoVariable, requireSettable } from "../engine/variables.ts";

export const to = defineStep({
  name: "to",
  docs: "Sends the message to an endpoint; its reply, if it has one, becomes the message.",
  short: "endpoint",
  options: (z, { endpoint, oneOf, text }) =>
    z.object({
      endpoint,
      pattern: oneOf(["InOnly", "InOut"]).optional(),
      variableSend: text.optional(),
      variableReceive: text.optional(),
    }),
  example: `to:
  uri: log:orders
  parameters: { showHeaders: true }`,
  compile({ endpoint, pattern, variableSend, variableReceive }, context) {
    let send = context.producer(endpoint);
    if (pattern !== undefined) send = withPattern(send, pattern);
    if (variableSend !== undefined || variableReceive !== undefined) {
      if (variableReceive !== undefined) requireSettable(variableReceive);
      if (variableSend?.startsWith("header:") === false) requireSettable(variableSend);
      send = withVariables(send, variableSend, variableReceive);
    }
    return send;
  },
});

/** The endpoint sees this exchange pattern, the steps after it the one from before. */
function withPattern(send: Processor, pattern: Exchange["pattern"]): Processor {
  return (exchange) => {
    const before = exchange.pattern;
    exchange.pattern = pattern;
    const restore = (): void => {
      exchange.pattern = before;
    };
    return lastly(send, exchange, restore);
  };
}

/** variableSend: the variable is the body that is sent. variableReceive: the reply goes into it, the message is as before. */
function withVariables(
  send: Processor,
  variableSend: string | undefined,
  variableReceive: string | undefined,
): Processor {
  return (exchange) => {
    const { message } = exchange;
    const before = variableReceive === undefined ? undefined : message.snapshot();
    if (variableSend !== undefined) message.body = exchange.variables.get(variableSend) ?? null;
    const pending = send(exchange);
    if (variableReceive === undefined) return pending;
    const receive = (): void => received(exchange, variableReceive, before as MessageSnapshot);
    if (pending !== undefined) return pending.then(receive);
    receive();
  };
}

/** An exchange that was stopped on the way keeps its message as the reply (Camel: ExchangeHelper.shouldSetVariableResult). */
function received(exchange: Exchange, variable: string, before: MessageSnapshot): void {
  if (exchange.stopped) return;
  receiveIntoVariable(exchange, variable);
  exchange.message.restore(before);
}

function lastly(send: Processor, exchange: Exchange, then: () => void): void | Promise<void> {
  let pending: void | Promise<void>;
  try {
    pending = send(exchange);
  } catch (error) {
    then();
    throw error;
  }
  if (pending !== undefined) return pending.finally(then);
  then();
}
