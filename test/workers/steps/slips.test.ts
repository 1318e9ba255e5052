/** The routingSlip and dynamicRouter steps (Camel: RoutingSlipTest, DynamicRouterTest), sample, and the steps that are refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repeatRoute } from "../../support/repeat-route.ts";
import { compileYaml, routeOf, runRoute } from "../../support/run-route.ts";

const targets = ["a", "b"]
  .map(
    (name) =>
      `- route: { id: ${name}, from: { uri: "direct:${name}", steps: [{ log: "${name} \${body} \${exchangeProperty.CamelSlipEndpoint}" }, { setBody: { simple: "\${body}${name}" } }] } }\n`,
  )
  .join("");
const stopping = '- route: { id: s, from: { uri: "direct:stop", steps: [{ stop: {} }] } }\n';

async function run(steps: string, headers: Record<string, unknown> = {}, more = "") {
  const outcome = await runRoute(routeOf(steps) + targets + stopping + more, { body: "x", headers });
  return { ...outcome, lines: outcome.logs.map(({ message }) => message) };
}

for (const [slip, lines] of [
  ["direct:a,direct:b", ["a x direct://a", "b xa direct://b", "after xab"]],
  [" direct:a , direct:a ", ["a x direct://a", "a xa direct://a", "after xaa"]],
  [["direct:b"], ["b x direct://b", "after xb"]],
  [null, ["after x"]],
  ["", ["after x"]],
  ["direct:a,direct:stop,direct:b", ["a x direct://a"]],
] as const) {
  test(`a slip of ${JSON.stringify(slip)} visits them in turn`, async () => {
    const { error, lines: found } = await run('- routingSlip: { header: slip }\n- log: "after ${body}"', { slip });
    assert.equal(error, undefined);
    assert.deepEqual(found, lines);
  });
}

test("an endpoint that is none fails the step, or is left out", async () => {
  const slip = { slip: "direct:a;nope:x;direct:b" };
  const strict = await run('- routingSlip: { header: slip, uriDelimiter: ";" }', slip);
  assert.match(String(strict.error), /nope:x/);
  assert.deepEqual(strict.lines, ["a x direct://a"]);
  const lenient = await run('- routingSlip: { header: slip, uriDelimiter: ";", ignoreInvalidEndpoints: true }', slip);
  assert.deepEqual(lenient.lines, ["a x direct://a", "b xa direct://b"]);
});

test("a slip keeps to the schemes that it allows", async () => {
  const { error } = await run("- routingSlip: { constant: 'log:x,direct:a', allowedSchemes: log }");
  assert.match(String(error), /allowedSchemes does not name 'direct'/);
});

test("a dynamic router asks again after each visit, until there is none", async () => {
  const next = "${body.length} < 3 ? 'direct:a' : ${null}";
  const { lines, error } = await run(`- dynamicRouter: { simple: "${next}" }\n- log: "after \${body}"`);
  assert.equal(error, undefined);
  assert.deepEqual(lines, ["a x direct://a", "a xa direct://a", "after xaa"]);
});

test("an endless router ends at the limit", async () => {
  const outcome = await runRoute(routeOf("- dynamicRouter: { constant: 'log:x?level=OFF' }"), {
    limits: { loopIterations: 50 },
  });
  assert.match(String(outcome.error), /at most 50 endpoints/);
});

test("each visit of a slip is tried again by itself", async () => {
  const policy = "redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 1 }";
  const handler = `- onException: { exception: [java.lang.Exception], ${policy} }\n`;
  let calls = 0;
  const { logs } = await runRoute(
    `${handler}${routeOf("- routingSlip: { constant: 'direct:a,direct:elsewhere' }")}${targets}`,
    {
      call: () => {
        calls += 1;
        return Promise.reject(new Error("not there"));
      },
    },
  );
  assert.equal(calls, 3);
  assert.equal(logs.filter(({ message }) => message.startsWith("a ")).length, 1);
});

test("sample lets every third message on, or one of a period", async () => {
  const third = repeatRoute("- sample: { messageFrequency: 3 }\n- log: '${body}'");
  for (let i = 1; i <= 7; i++) await third.run(String(i));
  assert.deepEqual(third.logs, ["3", "6"]);
  const hourly = repeatRoute("- sample: 1h\n- log: '${body}'");
  for (let i = 1; i <= 3; i++) assert.equal((await hourly.run(String(i))).error, undefined);
  assert.deepEqual(hourly.logs, ["1"]);
  assert.throws(() => compileYaml(routeOf("- sample: { messageFrequency: 0 }")), /at least 1/);
});

for (const [step, hint] of [
  ["bean: { ref: x, method: y }", /language js/],
  ["process: { ref: x }", /language js/],
  ["policy: { ref: x }", /circuitBreaker/],
] as const) {
  test(`'${step}' is refused with a hint`, () => {
    assert.throws(() => compileYaml(routeOf(`- ${step}`)), hint);
  });
}
