/** Steps that call something outside of their flow, and what is told of it: that it is an effect, a call, and a recorded one. */
import type { StepManifest } from "../../shared/manifest.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import type { Processor } from "../engine/processor.ts";

/** Whether sending to it reaches a server or a file. Other flows: direct-calls.ts. */
export function leavesFlow({ network, files }: ComponentDefinition): boolean {
  return network !== undefined || files === true;
}

/** `index` -1: an endpoint that is no step's. */
export function markOutbound(steps: StepManifest[], index: number): void {
  const step = steps[index];
  if (step !== undefined) steps[index] = { ...step, outbound: true };
}

/** The component's producer with what is told of its effect. `index` as of `callingOut`. */
export function sendingTo(component: ComponentDefinition, uri: string, index: number, send: Processor): Processor {
  if (leavesFlow(component)) return callingOut(uri, index, send);
  return component.stateful === true ? touching(send) : send;
}

/** The sending as it is counted and recorded. `index`: of its step; -1: an endpoint that is no step's. */
export function callingOut(uri: string, index: number, send: Processor): Processor {
  return (exchange) => {
    const { run } = exchange;
    const { recording } = run;
    run.touched();
    run.sink.calledOut?.();
    return recording === undefined ? send(exchange) : recording.callOut(exchange, uri, index, send);
  };
}

/** What has an effect beside the message: it changes state that is kept between runs. */
export function touching(process: Processor): Processor {
  return (exchange) => {
    exchange.run.touched();
    return process(exchange);
  };
}
