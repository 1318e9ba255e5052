/** Steps that call something outside of their flow, and the telling of it to what is recorded of a run. */
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

/** The sending as it is recorded. `index`: of its step; -1: an endpoint that is no step's. */
export function callingOut(uri: string, index: number, send: Processor): Processor {
  return (exchange) => {
    const { recording } = exchange.run;
    return recording === undefined ? send(exchange) : recording.callOut(exchange, uri, index, send);
  };
}
