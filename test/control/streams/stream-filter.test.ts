/** What a stream's query asks for, and what it may not ask for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  parseSubscription,
  type StreamName,
  type StreamQuery,
  type Watchable,
} from "../../../src/control/streams/stream-filter.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { wildcard } from "../../../src/shared/ids.ts";

const failed: Watchable = {
  type: "run.failed",
  status: "failed",
  flowId: "shop.orders",
  routeId: "order-in",
  runId: "r1",
};
const step: Watchable = { ...failed, type: "step.completed", stepId: "to-crm" };
const { status: _, ...bareStep } = step;

const table: [StreamName, StreamQuery, Watchable, boolean][] = [
  ["trace", {}, failed, true],
  ["trace", { flowId: "shop.orders" }, failed, true],
  ["trace", { flowId: "shop" }, failed, false],
  ["trace", { flowId: "shop.*" }, failed, true],
  ["trace", { flowId: ["x", "shop.orders"] }, failed, true],
  ["trace", { flowId: "shop.orders", routeId: "order-out" }, failed, false],
  ["trace", { routeId: "order-in", runId: "r1" }, failed, true],
  ["trace", { stepId: "to-*" }, bareStep, true],
  ["trace", { stepId: "*crm" }, bareStep, true],
  ["trace", { stepId: "t*-*m" }, bareStep, true],
  ["trace", { stepId: "from-*" }, bareStep, false],
  ["trace", { stepId: "*" }, failed, false],
  ["trace", { type: "run.failed" }, failed, true],
  ["trace", { type: ["run.started", "run.failed"] }, failed, true],
  ["trace", { type: "run.*" }, failed, true],
  ["trace", { type: "run.*" }, bareStep, false],
  ["trace", { status: "failed" }, failed, true],
  ["trace", { status: ["failed", "timeout"] }, failed, true],
  ["trace", { status: "completed" }, failed, false],
  ["trace", { status: "failed" }, bareStep, false],
  ["trace", { session: "ts_1" }, { ...bareStep, testSessionId: "ts_1" }, true],
  ["trace", { session: "ts_1" }, { ...bareStep, testSessionId: "ts_2" }, false],
  ["log", { session: ["ts_1", "ts_2"] }, { level: "INFO", testSessionId: "ts_2" }, true],
  ["log", { session: "ts_*" }, { level: "INFO" }, false],
  ["trace", { sample: "1" }, failed, true],
  ["trace", { sample: "0.000001" }, failed, false],
  ["trace", { sample: "0.000001" }, { type: "deploy.completed", flowId: "f" }, true],
  ["log", { level: "warn" }, { level: "WARN" }, true],
  ["log", { level: "WARN" }, { level: "ERROR" }, true],
  ["log", { level: "warn" }, { level: "INFO" }, false],
  ["log", { level: ["error", "debug"] }, { level: "INFO" }, true],
  ["log", { flowId: "f", level: "trace" }, { level: "INFO" }, false],
  ["log", { flowId: "f" }, { flowId: "f", level: "TRACE" }, true],
];
for (const [stream, query, event, expected] of table) {
  test(`${stream} ${JSON.stringify(query)} ${expected ? "takes" : "leaves"} ${JSON.stringify(event)}`, () => {
    assert.equal(parseSubscription(stream, query, undefined).matches(event), expected);
  });
}

const refused: [StreamName, StreamQuery, RegExp][] = [
  ["trace", { flow: "x" }, /no query parameter 'flow'; it has flowId/],
  ["trace", { level: "warn" }, /no query parameter 'level'/],
  ["log", { type: "run.failed" }, /no query parameter 'type'/],
  ["log", { body: "full" }, /no query parameter 'body'/],
  ["trace", { flowId: "" }, /'flowId' is empty/],
  ["trace", { flowId: ["a", ""] }, /'flowId' is empty/],
  ["trace", { type: "run.finished" }, /'type' is one of run\.started/],
  ["trace", { type: "steps.*" }, /'type' is one of/],
  ["trace", { status: "ok" }, /'status' is one of running/],
  ["trace", { body: "all" }, /'body' is one of none, preview, full, not 'all'/],
  ["trace", { body: ["none", "full"] }, /'body' may be given only once/],
  ["trace", { sample: "0" }, /above 0 and up to 1/],
  ["trace", { sample: "1.01" }, /above 0 and up to 1/],
  ["trace", { sample: "half" }, /above 0 and up to 1/],
  ["trace", { sample: "1e-3" }, /above 0 and up to 1/],
  ["trace", { replay: "-1" }, /'replay' is a number of events/],
  ["trace", { replay: "all" }, /'replay' is a number of events/],
  ["trace", { lastEventId: "seven" }, /<epoch>-<number>/],
  ["log", { level: "loud" }, /'level' is one of trace, debug, info, warn, error, not 'loud'/],
  ["log", { level: "off" }, /'level' is one of/],
];
for (const [stream, query, message] of refused) {
  test(`${stream} ${JSON.stringify(query)} is refused`, () => {
    assert.throws(
      () => parseSubscription(stream, query, undefined),
      (error) => error instanceof AppError && error.code === "bad_query" && message.test(error.message),
    );
  });
}

test("a sample takes whole runs, the same each time, and about its share of them", () => {
  const { matches } = parseSubscription("trace", { sample: "0.25" }, undefined);
  const again = parseSubscription("trace", { sample: ".25" }, undefined);
  let taken = 0;
  for (let n = 0; n < 4000; n += 1) {
    const runId = `mdz1x2-${n.toString(16).padStart(16, "0")}`;
    const takes = matches({ runId });
    assert.equal(matches({ runId, stepId: "s" }), takes);
    assert.equal(again.matches({ runId }), takes);
    if (takes) taken += 1;
  }
  assert.ok(taken > 850 && taken < 1150, `took ${taken} of 4000`);
});

test("a larger sample contains a smaller one", () => {
  const small = parseSubscription("trace", { sample: "0.1" }, undefined);
  const large = parseSubscription("trace", { sample: "0.5" }, undefined);
  fc.assert(fc.property(fc.string(), (runId) => !small.matches({ runId }) || large.matches({ runId })));
});

test("'*' stands for any characters: as a regular expression would have it", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 6 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, word, (pattern, text) => {
      const model = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll(/\*+/g, ".*")}$`);
      assert.equal(wildcard(pattern, text), model.test(text));
    }),
    { numRuns: 2000 },
  );
});
