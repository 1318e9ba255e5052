/**
 * Marks steps that call something outside their flow, and reports each call as an effect, for figures, and for
 * recordings.
 */
import type { StepManifest } from "../../shared/manifest.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import type { Processor } from "../engine/processor.ts";

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
