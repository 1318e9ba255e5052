/**
 * Compiles `direct:` targets: a function call on the same exchange inside the flow, a call through control to another
 * flow.
 */

import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Processor } from "../engine/processor.ts";
import { receiveIntoVariable } from "../engine/variables.ts";
import { unlessAborted } from "../engine/waiting.ts";

/** A route for its callers. Its processor is set when the whole flow is compiled. */
export interface DirectTarget {
  readonly id: string;
  readonly variableReceive: string | undefined;
  /** false: the route is stopped or suspended. */
  runs(): boolean;
  processor: Processor;
}

/** Runs the called route's steps on the caller's exchange, whose `routeId` is the called route's meanwhile. */
export function localCall(name: string, target: DirectTarget): Processor {
  return (exchange) => {
    if (!target.runs()) {
      const message = `route '${target.id}', which consumes 'direct:${name}', is stopped or suspended`;
      throw new FlowException("org.apache.camel.component.direct.DirectConsumerNotAvailableException", message);
    }
    const caller = exchange.routeId;
    exchange.run.checkDepth(exchange.depth);
    exchange.depth += 1;
    exchange.routeId = target.id;
    try {
      if (target.variableReceive !== undefined) receiveMessage(exchange, target.variableReceive);
      const pending = target.processor(exchange);
      if (pending !== undefined) return leaveAfter(pending, exchange, caller);
    } catch (error) {
      leave(exchange, caller);
      throw error;
    }
    leave(exchange, caller);
  };
}

async function leaveAfter(pending: Promise<void>, exchange: Exchange, caller: string): Promise<void> {
  try {
    await pending;
  } finally {
    leave(exchange, caller);
  }
}

function leave(exchange: Exchange, caller: string): void {
  exchange.routeId = caller;
  exchange.depth -= 1;
}

/** Returns the processor for an exchange that begins with the route. */
export function received(target: DirectTarget): Processor {
  const { variableReceive } = target;
  return (exchange) => {
    if (variableReceive !== undefined) receiveMessage(exchange, variableReceive);
    return target.processor(exchange);
  };
}

/**
 * `from.variableReceive`: stores the message in variables, and the route begins with a null body (Camel: RouteReifier's
 * VariableAdvice).
 */
function receiveMessage(exchange: Exchange, name: string): void {
  receiveIntoVariable(exchange, name);
  exchange.message.body = null;
}

/**
 * Control finds the consumer at each call and counts the depth across flows. A cancelled run does not wait for the
 * reply.
 */
export function remoteCall(name: string): Processor {
  return (exchange) => {
    const { run } = exchange;
    return unlessAborted(run.sink.call(run.slot, name, exchange), run.signal);
  };
}
