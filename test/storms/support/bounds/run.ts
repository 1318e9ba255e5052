/** One attack in a thread of its own: begun when the main thread says so, told with what ended it. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import { encodeAnswer } from "../../../../src/workers/bodies.ts";
import { exceptionMessage, exceptionType, FlowException } from "../../../../src/workers/engine/exception.ts";
import { monotonicMs } from "../../../support/clock.ts";
import { routeOf, runRoute } from "../../../support/run-route.ts";
import { attacks } from "./attacks.ts";
import { bodies } from "./bodies.ts";

const attack = attacks.find(({ name }) => name === workerData);
assert.ok(attack !== undefined && parentPort !== null);
const port = parentPort;
const { steps = "", flow = routeOf(steps), body = "nothing" } = attack;
// What is loaded late is loaded by a run that ends at once.
await runRoute(flow, { body: "x", limits: { stepsPerRun: 5 } }).catch(() => {});
const source = bodies[body];
assert.ok(source !== undefined, body);
const made = source();
port.once("message", async () => {
  const began = monotonicMs();
  let said = "done";
  try {
    const { error, exchange } = await runRoute(flow, { body: made() });
    if (error === undefined) encodeAnswer(exchange);
    if (error !== undefined) said = `${exceptionType(error)}: ${exceptionMessage(error)}`;
  } catch (error) {
    said = error instanceof FlowException ? `${error.type}: ${error.message}` : `THROWN ${String(error)}`;
  }
  port.postMessage({ ms: monotonicMs() - began, said: said.slice(0, 160) });
});
port.postMessage("ready");
