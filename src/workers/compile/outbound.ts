/**
 * Marks steps that call something outside their flow, and reports each call as an effect, for figures, and for
 * recordings.
 */
import type { StepManifest } from "../../shared/manifest.ts";
import { type Turn, Withdrawn } from "../engine/attended/turn.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Processor } from "../engine/processor.ts";
import type { Run } from "../engine/run.ts";

/** Whether the component calls a server or a file. For other flows see direct-calls.ts. */
export function leavesFlow({ network, files }: ComponentDefinition): boolean {
  return network !== undefined || files === true;
}

/** `index` -1: no step sends to the endpoint. */
export function markOutbound(steps: StepManifest[], index: number): void {
  const step = steps[index];
  if (step !== undefined) steps[index] = { ...step, outbound: true };
}

/** Wraps the component's producer, and reports its effect. `index` as in `callingOut`. */
export function sendingTo(component: ComponentDefinition, uri: string, index: number, send: Processor): Processor {
  if (leavesFlow(component)) return callingOut(uri, index, send);
  return component.stateful === true ? touching(send) : send;
}

/** Counts and records a call. `index`: the step's; -1: no step sends to the endpoint. */
export function callingOut(uri: string, index: number, send: Processor): Processor {
  return (exchange) => {
    const { run } = exchange;
    const { recording } = run;
    run.touched();
    run.sink.calledOut?.();
    return recording === undefined ? send(exchange) : recording.callOut(exchange, uri, index, send);
  };
}

/** Marks a processor as an effect, because it changes state that is kept between runs. */
export function touching(process: Processor): Processor {
  return (exchange) => {
    exchange.run.touched();
    return process(exchange);
  };
}

/** Of the last step with an effect: the next run of the source may begin when the message is handed to the client of its server. */
export function handingOver(send: Processor): Processor {
  return (exchange) => {
    const { run } = exchange;
    const { turn } = run;
    if (turn === undefined) return send(exchange);
    run.isLast = true;
    try {
      const pending = send(exchange);
      return pending === undefined ? undefined : inOrder(turn, pending, run);
    } catch (error) {
      run.isLast = false;
      throw error;
    }
  };
}

async function inOrder(turn: Turn, sending: Promise<void>, run: Run<Exchange>): Promise<void> {
  try {
    await turn.inOrder(sending);
  } catch (error) {
    // What an error handler sends is not the last.
    run.isLast = false;
    throw error instanceof Withdrawn ? run.withdraw(error.message, true) : error;
  }
}
