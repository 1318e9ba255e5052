/**
 * Sends to an endpoint with another exchange pattern, from a variable, or into a variable, for to, toD and similar
 * steps.
 */
import { isInvalidEndpoint } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import type { MessageSnapshot } from "./message.ts";
import type { Processor } from "./processor.ts";
import type { CompileContext, DynamicOptions } from "./step.ts";
import { getVariable, receiveIntoVariable, requireReadable, requireSettable } from "./variables.ts";

/** Why Camel's allowOptimisedComponents and autoStartComponents have no effect here. */
export const noPooling =
  "an endpoint that has been made is kept by its whole URI, and components need no start: leave it out";

export interface SendOptions {
  readonly pattern?: Exchange["pattern"] | undefined;
  readonly variableSend?: string | undefined;
  readonly variableReceive?: string | undefined;
}

/** Throws for a variable that cannot be set. */
export function sendWith(
  send: Processor,
  { pattern, variableSend, variableReceive }: SendOptions,
  useVariable: CompileContext["useVariable"],
): Processor {
  const patterned = pattern === undefined ? send : withPattern(send, pattern);
  if (variableSend === undefined && variableReceive === undefined) return patterned;
  if (variableReceive !== undefined) requireSettable(variableReceive, useVariable);
  if (variableSend !== undefined) requireReadable(variableSend, useVariable);
  return withVariables(patterned, variableSend, variableReceive);
}

export interface DynamicSend extends Omit<DynamicOptions, "from"> {
  /** true: an address that is no endpoint sends nothing. */
  readonly ignoreInvalidEndpoint: boolean;
}

/** Sends to the endpoint that the template names for each message; a blank one sends nothing. */
export function sendDynamic(
  uri: Parameters<CompileContext["text"]>[0],
  { ignoreInvalidEndpoint, allowedSchemes, cacheSize }: DynamicSend,
  context: CompileContext,
): Processor {
  const written = context.text(uri);
  const producer = context.dynamicProducer({ allowedSchemes, cacheSize, from: uri });
  return (exchange) => {
    const to = written(exchange).trim();
    if (to === "") return;
    let found: Processor;
    try {
      found = producer(to);
    } catch (error) {
      if (ignoreInvalidEndpoint && isInvalidEndpoint(error)) return;
      throw error;
    }
    return found(exchange);
  };
}

/** The endpoint gets this exchange pattern; later steps get the previous one. */
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

/**
 * variableSend: the variable is sent as the body. variableReceive: the reply goes into the variable, and the message
 * stays unchanged.
 */
function withVariables(
  send: Processor,
  variableSend: string | undefined,
  variableReceive: string | undefined,
): Processor {
  return (exchange) => {
    const { message } = exchange;
    const before = variableReceive === undefined ? undefined : message.snapshot();
    if (variableSend !== undefined) message.body = getVariable(exchange, variableSend);
    const pending = send(exchange);
    if (variableReceive === undefined) return pending;
    const receive = (): void => received(exchange, variableReceive, before as MessageSnapshot);
    if (pending !== undefined) return pending.then(receive);
    receive();
  };
}

/**
 * An exchange that was stopped during the call keeps its message as the reply (Camel:
 * ExchangeHelper.shouldSetVariableResult).
 */
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
