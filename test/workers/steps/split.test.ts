/** split, multicast, recipientList, toD, enrich: how branches run and what becomes of their results (Camel: MulticastProcessor). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LazyList } from "../../../src/workers/engine/lazy-list.ts";
import { StreamedList } from "../../../src/workers/engine/streamed-list.ts";
import { type RouteOptions, runRoute, runSteps } from "../../support/run-route.ts";

const grouped = '"#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"';

function messages(outcome: { readonly logs: readonly { readonly message: string }[] }): string[] {
  return outcome.logs.map(({ message }) => message);
}

describe("split", () => {
  test("walks a lazy list without making a list of it", async () => {
    let made = 0;
    function* endless(): Generator<string> {
      for (;;) yield `part ${made++}`;
    }
    const { error } = await runSteps(
      `
- split:
    simple: "\${body}"
    streaming: true
    stopOnException: true
    steps:
      - filter:
          simple: "\${exchangeProperty.CamelSplitIndex} == 10"
          steps: [{ throwException: { exceptionType: java.io.IOException, message: enough } }]`,
      { body: new LazyList(endless, 1000) },
    );
    assert.match(String(error), /failed for number 10\..*enough/);
    assert.equal(made, 12);
  });

  test("takes the elements of a list as they arrive, and reads no further than it must", async () => {
    const parts = [["a", "b"], ["c"], ["d", "e"], []];
    const given = (): { readonly body: StreamedList; readonly left: () => number } => {
      const left = [...parts];
      return { body: new StreamedList("the rows", async () => left.shift() ?? []), left: () => left.length };
    };
    const split = (more: string, log = "${body} ${exchangeProperty.CamelSplitSize}"): string =>
      `\n- split: { simple: "\${body}", ${more} steps: [{ log: "${log}" }] }`;
    const all = await runSteps(split(""), { body: given().body });
    assert.deepEqual(messages(all), ["a ", "b ", "c ", "d ", "e 5"]);
    const groups = await runSteps(split("group: 2,"), { body: given().body });
    assert.deepEqual(messages(groups), ["[a, b] ", "[c, d] ", "[e] 3"]);
    const together = await runSteps(split("parallelProcessing: true,"), { body: given().body });
    assert.deepEqual(messages(together).sort(), ["a ", "b ", "c ", "d ", "e 5"]);
    const list = given();
    const failing = `\n- split: { simple: "\${body}", stopOnException: true, steps: [{ throwException: { exceptionType: java.io.IOException, message: enough } }] }`;
    assert.match(String((await runSteps(failing, { body: list.body })).error), /enough/);
    assert.equal(list.left(), 3);
    const { error } = await runSteps(split(""), { body: given().body, limits: { splitItems: 4 } });
    assert.match(String(error), /a split has at most 4 parts/);
    const lost = new StreamedList("the rows", () => Promise.reject(new Error("the server has gone")));
    assert.match(String((await runSteps(split(""), { body: lost })).error), /the server has gone/);
  });

  test("alone can read a list that arrives: what would make a text of it fails", async () => {
    const body = new StreamedList("the rows of a query", async () => []);
    const { error } = await runSteps("\n- marshal: { json: {} }", { body });
    assert.match(String(error), /the rows of a query are read as they arrive, and only split can do that/);
  });

  test("tells the number of parts from the first on, when streaming only at the last", async () => {
    const steps = (streaming: boolean): string => `
- split:
    simple: "\${body}"
    streaming: ${streaming}
    steps: [{ log: "\${body} \${exchangeProperty.CamelSplitSize} \${exchangeProperty.CamelSplitComplete}" }]`;
    assert.deepEqual(messages(await runSteps(steps(false), { body: "a,b" })), ["a 2 false", "b 2 true"]);
    assert.deepEqual(messages(await runSteps(steps(true), { body: "a,b" })), ["a  false", "b 2 true"]);
  });

  test("group: parts come in lists", async () => {
    const { exchange } = await runSteps(
      `
- split:
    simple: "\${body}"
    group: 2
    aggregationStrategy: ${grouped}
    steps: [{ setBody: { simple: "\${body.size}" } }]`,
      { body: "a,b,c" },
    );
    assert.deepEqual(exchange.message.body, [2, 1]);
  });

  /** The part `slow` waits until the part `fast` has logged. */
  function racing(): RouteOptions {
    const gate = Promise.withResolvers<void>();
    return {
      body: "slow,fast",
      call: (_slot, name) => (name === "slow" ? gate.promise : Promise.resolve()),
      sink: { log: (_slot, _step, _level, _logger, message) => message === "fast" && gate.resolve() },
    };
  }
  const waits = `[{ toD: "direct:\${body}" }, { log: "\${body}" }]`;

  test("parallelProcessing: parts wait together, results count in the order of the parts, when streaming in that of their ends", async () => {
    const steps = (streaming: boolean): string => `
- split:
    simple: "\${body}"
    parallelProcessing: true
    streaming: ${streaming}
    aggregationStrategy: ${grouped}
    steps: ${waits}`;
    assert.deepEqual((await runSteps(steps(false), racing())).exchange.message.body, ["slow", "fast"]);
    assert.deepEqual((await runSteps(steps(true), racing())).exchange.message.body, ["fast", "slow"]);
  });

  test("timeout: a late part does not count, and ends with the step that it is in", async () => {
    const { exchange } = await runSteps(
      `
- split:
    simple: "\${body}"
    parallelProcessing: true
    timeout: 50
    aggregationStrategy: ${grouped}
    steps: [{ delay: { simple: "\${body}" } }]`,
      // A delay of 0 does not wait.
      { body: "0,3600000,00" },
    );
    assert.deepEqual(exchange.message.body, ["0", "00"]);
  });

  test("a timeout without parallelProcessing is refused", async () => {
    await assert.rejects(
      runSteps('- split: { simple: "${body}", timeout: 100, steps: [{ log: x }] }'),
      /timeout needs parallelProcessing/,
    );
  });

  for (const expression of ['simple: "${body}"', 'tokenize: ","', 'tokenize: ",", group: 1']) {
    test(`more parts than the limit fail the step before any part has been worked on: ${expression}`, async () => {
      const steps = `- split: { ${expression}, steps: [{ log: "\${body}" }] }`;
      const outcome = await runSteps(steps, { body: "a,b,c", limits: { splitItems: 2 } });
      assert.equal(
        String(outcome.error),
        "FlowException: a split has at most 2 parts: raise the limit splitItems with LIMIT_SPLIT_ITEMS, for this flow alone with 'splitItems' in its limits",
      );
      assert.deepEqual(messages(outcome), []);
    });
  }

  test("with streaming the limit is found where the parts are", async () => {
    const steps = '- split: { tokenize: ",", streaming: true, steps: [{ log: "${body}" }] }';
    const outcome = await runSteps(steps, { body: "a,b,c", limits: { splitItems: 2 } });
    assert.match(String(outcome.error), /a split has at most 2 parts/);
    assert.deepEqual(messages(outcome), ["a", "b"]);
  });

  test("more tokens than are kept while they are counted come all, each with the number of all", async () => {
    const total = 10_000;
    const { exchange } = await runSteps(
      `
- split:
    tokenize: ","
    aggregationStrategy: ${grouped}
    steps: [{ setBody: { simple: "\${body}/\${exchangeProperty.CamelSplitSize}" } }]`,
      { body: Array.from({ length: total }, (_, at) => at).join(",") },
    );
    assert.deepEqual(
      exchange.message.body,
      Array.from({ length: total }, (_, at) => `${at}/${total}`),
    );
  });

  test("commas inside of parentheses do not split, a delimiter of false splits nothing", async () => {
    const steps = (delimiter: string): string =>
      `- split: { simple: "\${body}", delimiter: "${delimiter}", steps: [{ log: "\${body}" }] }`;
    assert.deepEqual(messages(await runSteps(steps(","), { body: "f(a,b),c" })), ["f(a,b)", "c"]);
    assert.deepEqual(messages(await runSteps(steps("false"), { body: "a,b" })), ["a,b"]);
    assert.deepEqual(messages(await runSteps(steps(";"), { body: ";a;;b;" })), ["a", "", "b"]);
  });

  test("an unknown strategy is refused with those that there are", async () => {
    await assert.rejects(
      runSteps('- split: { simple: "${body}", aggregationStrategy: "#class:com.acme.Mine", steps: [{ log: x }] }'),
      /'com\.acme\.Mine' is a class of the JVM; there are .*UseLatest/,
    );
  });
});

describe("multicast and recipientList", () => {
  test("a branch that stops ends alone, unless it is the last", async () => {
    const steps = (first: string, second: string): string => `
- multicast: { steps: [${first}, ${second}] }
- log: after`;
    const stop = "{ pipeline: { steps: [{ setBody: { constant: s } }, { stop: {} }] } }";
    const go = "{ setBody: { constant: g } }";
    assert.deepEqual(messages(await runSteps(steps(stop, go))), ["after"]);
    assert.deepEqual(messages(await runSteps(steps(go, stop))), []);
  });

  test("no recipient is called when one is no endpoint, unless such are ignored", async () => {
    const flow = (ignore: boolean): string => `
- route:
    from:
      uri: direct:start
      steps:
        - recipientList: { constant: "direct:a,nope:b", ignoreInvalidEndpoints: ${ignore} }
- route: { from: { uri: "direct:a", steps: [{ log: "a: \${exchangeProperty.CamelRecipientListEndpoint}" }] } }`;
    const failed = await runRoute(flow(false));
    assert.deepEqual(
      [messages(failed), String(failed.error)],
      [[], "FlowException: No endpoint could be found for: nope:b: there is no component 'nope'"],
    );
    assert.deepEqual(messages(await runRoute(flow(true))), ["a: direct://a"]);
  });
});

describe("endpoints that are known when a message comes", () => {
  const toD = (uri: string): string => `- toD: { uri: "${uri}" }`;

  test("options are read and checked as when the flow is deployed", async () => {
    const good = await runSteps(toD("log:x?showBodyType=${header.type}&show-headers=true"), {
      body: "b",
      headers: { type: "false" },
    });
    assert.deepEqual(messages(good), ["Exchange[Headers: {type=false}, Body: b]"]);
    for (const [uri, message] of [
      ["log:x?showBody=maybe", /'showBody' is true or false; found 'maybe'/],
      ["log:x?colour=red", /component 'log' has no option 'colour'/],
      ["log:x?level=LOUD", /'level' is one of/],
      ["timer:x", /'timer' can only stand in 'from'/],
      ["://", /an endpoint begins with its component/],
    ] as const) {
      assert.match(String((await runSteps(toD(uri))).error), message);
    }
  });

  test("options about a cache of producers do what they say, or are refused", async () => {
    const uris = (cacheSize: number): string => `- toD: { uri: "log:\${body}", cacheSize: ${cacheSize} }`;
    for (const size of [-1, 0, 1]) assert.equal(messages(await runSteps(uris(size), { body: "x" })).length, 1);
    await assert.rejects(runSteps('- toD: { uri: "log:x", autoStartComponents: false }'), /components need no start/);
    assert.equal((await runSteps('- toD: { uri: "log:x", autoStartComponents: true }')).error, undefined);
  });

  test("a blank URI sends nothing, allowedSchemes holds back others", async () => {
    assert.equal((await runSteps(toD("${header.none}"))).error, undefined);
    const { error } = await runSteps('- toD: { uri: "log:${body}", allowedSchemes: "mock,direct" }', { body: "x" });
    assert.match(String(error), /allowedSchemes does not name 'log'/);
  });

  test("enrich: the resource's answer, or what the strategy makes of both, or a variable", async () => {
    const flow = (options: string): string => `
- route: { from: { uri: "direct:start", steps: [{ enrich: { constant: "direct:b"${options} } }, { log: "\${body} \${variable.v}" }] } }
- route: { from: { uri: "direct:b", steps: [{ setBody: { simple: "<\${body}>" } }] } }`;
    assert.deepEqual(messages(await runRoute(flow(""), { body: "q" })), ["<q> "]);
    assert.deepEqual(messages(await runRoute(flow(", variableReceive: v"), { body: "q" })), ["q <q>"]);
    const original =
      ', aggregationStrategy: "#class:org.apache.camel.processor.aggregate.UseOriginalAggregationStrategy"';
    assert.deepEqual(messages(await runRoute(flow(original), { body: "q" })), ["q "]);
  });
});
