/** Sending to an endpoint under another exchange pattern, from a variable, into a variable: what to, toD and the like share. */
import type { Exchange, MessageSnapshot } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import { receiveIntoVariable, requireSettable } from "./variables.ts";

/** Why Camel's allowOptimisedComponents and autoStartComponents have no place. */
export const noPooling =
  "an endpoint that has been made is kept by its whole URI, and components need no start: leave it out";

export interface SendOptions {
  readonly pattern?: Exchange["pattern"] | undefined;
  readonly variableSend?: string | undefined;
  readonly variableReceive?: string | undefined;
}

/** Throws for a variable that cannot be set. */
export function sendWith(send: Processor, { pattern, variableSend, variableReceive }: SendOptions): Processor {
  const patterned = pattern === undefined ? send : withPattern(send, pattern);
  if (variableSend === undefined && variableReceive === undefined) return patterned;
  if (variableReceive !== undefined) requireSettable(variableReceive);
  if (variableSend?.startsWith("header:") === false) requireSettable(variableSend);
  return withVariables(patterned, variableSend, variableReceive);
}

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
