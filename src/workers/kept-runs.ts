/** Messages that outlive their failed run: what leaves the thread of one, and how its next run begins. */
import type { FrameToControl } from "../shared/frames-to-control.ts";
import { ToControl } from "../shared/frames-to-control.ts";
import { isCredentialHeader } from "../shared/http-headers.ts";
import type { InvokeExtra, WireError } from "../shared/protocol.ts";
import type { OpenedRun } from "./announcements.ts";
import { decodeBody, receiveExchange } from "./bodies.ts";
import type { CompiledFlow, CompiledRoute } from "./compile/compile-flow.ts";
import { exceptionMessage, FlowException } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import { keepMessage, restoreMessage } from "./engine/kept-message.ts";
import type { Processor } from "./engine/processor.ts";
import type { Run } from "./engine/run.ts";

/** The frame for a run that control has begun, which has its message: only that it ended in a dead letter channel. */
export function deadLetterFrame(slot: number, error: WireError): FrameToControl {
  return [ToControl.kept, slot, "", 1, JSON.stringify(error), null, "", ""];
}

/** The frame for a run that began in this thread. `deadLetter`: the failure, if it ended in a dead letter channel. */
export function keptFrame(run: Run<Exchange>, { work }: OpenedRun, deadLetter: WireError | undefined): FrameToControl {
  const { entry = "", group = "", headOnly } = work;
  const facts = [deadLetter === undefined ? 0 : 1, deadLetter === undefined ? "" : JSON.stringify(deadLetter)] as const;
  const { messageBodyBytes, headerBytes, variableBytes } = run.limits;
  try {
    const exchange = work.exchange(run);
    if (headOnly !== undefined) exchange.message.body = null;
    const kept = keepMessage(exchange, {
      maxBytes: messageBodyBytes + headerBytes + 2 * variableBytes,
      without: isCredentialHeader,
    });
    const problem = headOnly === undefined ? "" : run.mask(headOnly);
    return [ToControl.kept, run.slot, entry, ...facts, kept, problem, group];
  } catch (error) {
    return [ToControl.kept, run.slot, entry, ...facts, null, run.mask(exceptionMessage(error)), group];
  }
}

/** Makes the exchange of a kept message's next run, with what replaces parts of it. */
export function restoredExchange(
  kept: Uint8Array,
  run: Run<Exchange>,
  route: CompiledRoute,
  { headers = [], body }: InvokeExtra,
): Exchange {
  const exchange = restoreMessage(kept, run, route.id);
  receiveExchange(exchange, { headers }, false);
  if (body === undefined) return exchange;
  const { message } = exchange;
  message.restore({ ...message.snapshot(), body: decodeBody(body.kind, body.text) });
  return exchange;
}

/** Returns what the run of a kept message begins with. Throws when the flow does not have it any more. */
export function entryOf(flow: CompiledFlow, route: CompiledRoute, entry: string | undefined): Processor {
  if (entry === undefined || entry === "") return route.processor;
  const processor = flow.entry(entry);
  if (processor !== undefined) return processor;
  throw new FlowException(
    "java.lang.IllegalStateException",
    `the run of the message began with the step '${entry}', which the flow does not have any more: give the step that id, or discard the message`,
  );
}
