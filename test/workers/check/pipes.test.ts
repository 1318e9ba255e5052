/** Pipes of Camel K become one route; what belongs to Kubernetes is told apart. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf, modelReal, routesOf, warningsOf } from "./real-catalog.ts";

const pipe = (
  more = "",
  source = '{ uri: "timer:t", properties: { period: 5s } }',
): string => `apiVersion: camel.apache.org/v1
kind: KameletBinding
metadata: { name: tick-to-log }
spec:
  source: ${source}
  sink: { uri: "log:out", properties: { showHeaders: true } }
${more}`;

test("source, steps and sink are one route with the pipe's name", async () => {
  const steps =
    '  steps: [{ uri: "log:a" }, { ref: { kind: Kamelet, name: delay-action }, properties: { milliseconds: 1 } }]\n';
  assert.deepEqual(await routesOf(pipe(steps)), [
    "tick-to-log timer:t?period=5s [to log:a, to direct:kamelet-shop-delay-action, to log:out?showHeaders=true]",
    "shop-delay-action direct:kamelet-shop-delay-action [delay]",
  ]);
});

test("the error handler is none, a log or another sink", async () => {
  const handlerOf = async (handler: string): Promise<unknown> => {
    const { routes } = await modelReal(pipe(`  errorHandler: ${handler}\n`));
    const { handler: found } = routes[0]?.errors ?? {};
    return [found?.kind, found?.redelivery?.maximumRedeliveries, found?.deadLetter?.uri];
  };
  assert.deepEqual(await handlerOf("{ log: { parameters: { maximumRedeliveries: 3 } } }"), ["default", 3, undefined]);
  const sink =
    '{ sink: { endpoint: { uri: "log:dead", properties: { showAll: true } }, parameters: { maximumRedeliveries: 1 } } }';
  assert.deepEqual(await handlerOf(sink), ["deadLetter", 1, "log:dead?showAll=true"]);
  const kamelet = "{ sink: { endpoint: { ref: { kind: Kamelet, name: log-sink } } } }";
  assert.deepEqual(await handlerOf(kamelet), ["deadLetter", undefined, "direct:kamelet-shop-log-sink"]);
  assert.match(
    (await errorsOf(pipe("  errorHandler: { ref: x }\n"))).join(),
    /^7:17 unknown_option .*none, log or sink$/,
  );
});

test("what is missing, belongs to Kubernetes or says where a pipe runs", async () => {
  const kafka = "{ ref: { kind: KafkaTopic, name: t } }";
  assert.match((await errorsOf(pipe("", kafka))).join(), /^5:18 not_yet .*'KafkaTopic' belongs to Kubernetes$/);
  assert.match((await errorsOf(pipe("", "{ }"))).join(), /^5:11 missing_option a Pipe's source has 'ref'/);
  assert.match(
    (await errorsOf("kind: Pipe\nspec: {}")).join(),
    /^2:7 missing_option .*source.*,2:7 missing_option .*sink/,
  );
  assert.match((await errorsOf(pipe("  stepz: []\n"))).join(), /^7:3 unknown_option/);
  assert.match((await warningsOf(pipe("  replicas: 3\n"))).join(), /^7:3 no_effect/);
});
