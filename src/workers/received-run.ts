/** A run as its invoke frame brings it: its exchange, and what processes it. */
import type { Frames } from "../shared/frame-shape.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { InvokeExtra } from "../shared/protocol.ts";
import { BodyKind } from "../shared/protocol.ts";
import { receiveExchange } from "./bodies.ts";
import type { CompiledFlow, CompiledRoute } from "./compile/compile-flow.ts";
import { Exchange } from "./engine/exchange.ts";
import { Headers } from "./engine/headers.ts";
import { parseJson } from "./engine/parse-json.ts";
import type { Processor } from "./engine/processor.ts";
import type { Run } from "./engine/run.ts";
import { receiveIntoVariable } from "./engine/variables.ts";
import { entryOf, restoredExchange } from "./kept-runs.ts";
import { receivedMessage } from "./received-message.ts";

const { invoke } = threadFields;

interface ReceivedRun {
  readonly exchange: Exchange;
  readonly process: Processor;
}

/** Throws for a body with a JSON content type that is not JSON, and for a form that cannot become headers. */
export function receiveRun(run: Run<Exchange>, flow: CompiledFlow, frames: Frames, at: number): ReceivedRun {
  const route = flow.route(invoke.route(frames, at));
  const extra = invoke.extra(frames, at);
  const given = extra === "" ? undefined : (parseJson(extra) as InvokeExtra);
  if (invoke.bodyKind(frames, at) !== BodyKind.kept) {
    return { exchange: exchangeOf(run, route, given, frames, at), process: route.processor };
  }
  const exchange = restoredExchange(invoke.body(frames, at) as Uint8Array, run, route, given ?? {});
  return { exchange, process: entryOf(flow, route, given?.entry) };
}

function exchangeOf(
  run: Run<Exchange>,
  route: CompiledRoute,
  given: InvokeExtra | undefined,
  frames: Frames,
  at: number,
): Exchange {
  const headers = new Headers(run.limits, invoke.headers(frames, at));
  const { limits } = run;
  const message = receivedMessage(invoke.bodyKind(frames, at), invoke.body(frames, at), headers, limits, route.http);
  const exchange = new Exchange(run, route.id, message);
  if (given !== undefined) receiveExchange(exchange, given, false);
  if (route.variableReceive !== undefined) {
    receiveIntoVariable(exchange, route.variableReceive);
    message.restore({ ...message.snapshot(), body: null });
  }
  return exchange;
}
