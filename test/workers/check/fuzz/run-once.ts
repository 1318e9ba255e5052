/** One message through each route of a flow that checked without errors: it ends, and failures are the flow's, never the engine's. */
import assert from "node:assert/strict";
import type { FlowModel } from "../../../../src/shared/flow-model.ts";
import { defaultLimits, type Limits } from "../../../../src/shared/limits.ts";
import { levels } from "../../../../src/shared/protocol.ts";
import { encodeAnswer, encodeExchange, encodeHeaders, exchangeJson } from "../../../../src/workers/bodies.ts";
import { compileFlow } from "../../../../src/workers/compile/compile-flow.ts";
import { FlowException } from "../../../../src/workers/engine/exception.ts";
import { Exchange } from "../../../../src/workers/engine/exchange.ts";
import { Headers } from "../../../../src/workers/engine/headers.ts";
import { withModules } from "../../../../src/workers/engine/late-module.ts";
import { LazyList } from "../../../../src/workers/engine/lazy-list.ts";
import { JsonText, Message } from "../../../../src/workers/engine/message.ts";
import { Run } from "../../../../src/workers/engine/run.ts";
import type { RunSink } from "../../../../src/workers/engine/run-sink.ts";
import { turn } from "../../../support/clock.ts";
import { LocalRuns } from "../../../support/local-runs.ts";
import { memoryState } from "../../../support/state/memory-state.ts";

const limits: Limits = {
  ...defaultLimits,
  stepsPerRun: 500,
  loopIterations: 100,
  splitItems: 100,
  messageBodyBytes: 65_536,
  announcedRuns: 50,
  scriptMs: 30_000,
};

const bodies: readonly unknown[] = [
  "7",
  new JsonText('[{"orderNo": 7}, 2, null]', [{ orderNo: 7 }, 2, null]),
  null,
  { a: [1], b: { c: "x" } },
  new Uint8Array([1, 255]),
  "a,b,,(c,d)\n1;2",
  "<a x='1'><b>1</b><b/></a>",
  -1.5,
  [[1], ["a", null], new Date(0)],
  new LazyList(() => ["a", 1, null].values(), 1000),
  true,
  new Map([["k", new Set([1])]]),
];

export const messages = bodies.length;

/** Throws when a failure is an error of the engine. `nth` picks the message. */
export async function runOnce(model: FlowModel, nth: number): Promise<void> {
  const sink: RunSink<Exchange> = {
    interest: 7,
    logLevel: levels.indexOf("TRACE"),
    recordSteps: true,
    enter() {},
    log() {},
    trace() {},
    call: () => Promise.reject(new FlowException("DirectConsumerNotAvailableException", "no other flows")),
  };
  const announced = new LocalRuns(limits, () => sink);
  const flow = await withModules(() => compileFlow(model, limits, { port: announced, state: memoryState() }));
  flow.life.serve("");
  for (const [index] of flow.manifest.routes.entries()) {
    const { id, processor } = flow.route(index);
    const run = new Run(sink, limits, 0, 0);
    const headers = new Headers(limits);
    headers.receive("name", "n");
    headers.receive("orderId", ["1", 2]);
    const exchange = new Exchange(run, id, new Message(limits, headers, bodies[nth % bodies.length]));
    const ended = (async () => processor(exchange))().then(
      () => answered(exchange),
      (error: unknown) => error ?? new Error("nothing was thrown"),
    );
    await Promise.race([ended, turns(3)]);
    run.cancel("the test has waited");
    const error = await ended;
    await exchange.done(error !== undefined, error);
    run.over = true;
    for (let cause = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
      assert.ok(isTheFlows(cause), `an error of the engine: ${cause instanceof Error ? cause.stack : String(cause)}`);
    }
  }
  flow.life.halt();
  await turns(3);
  for (const run of announced.running) run.cancel("the flow ends");
  await announced.settled();
  await Promise.race([flow.life.finish(), turns(3)]);
  for (const { error } of announced.ended) assert.ok(error === undefined || isTheFlows(error), String(error));
}

/** What would be sent to whoever waits for the run; undefined, or why it cannot be sent. */
function answered(exchange: Exchange): unknown {
  try {
    encodeAnswer(exchange);
    encodeHeaders(exchange);
    exchangeJson(encodeExchange(exchange), exchange.run.limits);
  } catch (error) {
    return error;
  }
}

function isTheFlows(error: unknown): boolean {
  return ![TypeError, RangeError, ReferenceError, URIError, EvalError, assert.AssertionError].some(
    (engine) => error instanceof engine,
  );
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}
