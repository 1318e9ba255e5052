/** Kamelets become routes of their own; names, properties and defaults are those of the catalogue of Camel Kamelets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { missingKamelet } from "../../../src/workers/check/expand/camel-kamelets.ts";
import { kamelets } from "../../../src/workers/kamelets/index.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { runRoute } from "../../support/run-route.ts";
import { loopback } from "../components/http-calls.ts";
import { errorsOf, modelReal, routesOf, warningsOf } from "./real-catalog.ts";

const route = (...steps: readonly string[]): string =>
  `- route:\n    id: main\n    from:\n      uri: direct:start\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;

test("a sink or an action is a call of its route, which equal uses share; its errors are its caller's", async () => {
  const yaml = route(
    "to: kamelet:log-sink",
    "kamelet: log-sink",
    "to: { uri: kamelet:log-action, parameters: { level: WARN } }",
  );
  assert.deepEqual(await routesOf(yaml), [
    "main direct:start [to direct:kamelet-shop-log-sink, to direct:kamelet-shop-log-sink, to direct:kamelet-shop-log-action]",
    "shop-log-sink direct:kamelet-shop-log-sink [to log:log-sink?level=INFO&multiline=false&showAllProperties=false&showBody=true&showBodyType=true&showExchangePattern=true&showHeaders=false&showProperties=false]",
    "shop-log-action direct:kamelet-shop-log-action [to log:log-action?level=WARN&multiline=false&showAllProperties=false&showBody=true&showBodyType=true&showExchangePattern=true&showHeaders=false&showProperties=false]",
  ]);
});

test("a source's route begins the run and calls the route that uses it; autoStartup and precondition go along", async () => {
  const yaml = `- route:
    id: main
    autoStartup: false
    from:
      uri: kamelet:timer-source/clock
      parameters: { message: hi, period: 5s }
      steps: [{ stop: {} }]
- route:
    precondition: "{{?on}}"
    from: { uri: "kamelet:timer-source?message=never", steps: [{ stop: {} }] }
`;
  const { routes } = await modelReal(yaml);
  assert.deepEqual(
    routes.map(({ id, from, autoStartup }) => [id, from.endpoint.uri, autoStartup]),
    [
      ["main", "direct:kamelet-clock", false],
      ["clock", "timer:tick?period=5s", false],
    ],
  );
  const outcome = await runRoute(yaml, { route: 1 });
  assert.equal(outcome.exchange.message.body, "hi");
  assert.equal(outcome.exchange.message.headers.get("Content-Type"), "text/plain");
});

test("a failure inside of a kamelet is handled by the route that uses it, redelivery too", async () => {
  const yaml = `- onException:
    exception: [java.lang.Exception]
    handled: { constant: "true" }
    steps: [{ setBody: { simple: "handled in \${routeId}" } }]
${route("kamelet: insert-field-action?field=a&value=b", "setBody: { constant: after }")}`;
  const outcome = await runRoute(yaml, { body: null });
  assert.equal(outcome.error, undefined);
  assert.equal(outcome.exchange.message.body, "handled in main");
});

/** One step with this kamelet, on this body. */
async function through(
  kamelet: string,
  body: unknown,
  headers: Record<string, unknown> = {},
): Promise<readonly unknown[]> {
  const { exchange, error } = await runRoute(
    route(`kamelet: ${JSON.stringify(kamelet)}`, "setHeader: { name: went, constant: on }"),
    {
      body,
      headers,
    },
  );
  if (error !== undefined) return [String((error as Error).message)];
  const { message, properties } = exchange;
  assert.deepEqual(
    [...properties.keys()].filter((key) => key.startsWith("CamelKamelets")),
    [],
  );
  return [message.body, message.headers.get("went") ?? "stopped"];
}

const json = { "Content-Type": "application/json" };
const rows: readonly (readonly [
  kamelet: string,
  body: unknown,
  headers: Record<string, unknown>,
  body: unknown,
  went?: string,
])[] = [
  ["set-body-action?value=${body}!", "a", {}, "a!"],
  ["delay-action?milliseconds=1", "a", {}, "a"],
  ["insert-field-action?field=b&value=x ${header.h}", { a: 1 }, { h: 7 }, { a: 1, b: "x 7" }],
  ["insert-field-action?field=b&value=2", '{"a":1}', json, '{"a":1,"b":"2"}'],
  ["insert-field-action?field=b&value=2", "[1]", json, '[1,"2"]'],
  ["insert-field-action?field=it's, a.b&value=o'k, fine", {}, {}, { "it's, a.b": "o'k, fine" }],
  ["extract-field-action?field=a", '{"a":{"b":1}}', json, '{"b":1}'],
  ["extract-field-action?field=a&trimField=true", '{"a":"x"}', json, "x"],
  ["extract-field-action?field=a.b", { "a.b": 7 }, {}, 7],
  ["json-serialize-action", { a: 1 }, {}, '{"a":1}'],
  ["json-deserialize-action", '{"a":1}', json, { a: 1 }],
  ["header-matches-filter-action?regex=a%2B&headerName=h", "x", { h: "aaa" }, "x"],
  ["header-matches-filter-action?regex=a&headerName=h", "x", { h: "b" }, "x", "stopped"],
  ["is-tombstone-filter-action", null, {}, null, "stopped"],
  ["is-tombstone-filter-action", "x", {}, "x"],
  ["has-header-filter-action?name=h", "x", { h: "1" }, "x"],
  ["has-header-filter-action?name=h", "x", {}, "x", "stopped"],
  ["has-header-filter-action?name=h&value=2", "x", { h: "1" }, "x", "stopped"],
  ["has-header-filter-action?name=h&value=1", "x", { h: "1" }, "x"],
  ["simple-filter-action?expression=${body} == 'x'", "x", {}, "x", "stopped"],
  ["predicate-filter-action?expression=@.foo =~ /.*John/", { foo: "John" }, {}, { foo: "John" }],
  ["predicate-filter-action?expression=@.foo == 'John'", '{"foo":"Ada"}', json, '{"foo":"Ada"}', "stopped"],
  ["predicate-filter-action?expression=@.foo == 'John'", '[{"foo":"John"}]', json, '[{"foo":"John"}]'],
  ["data-type-action?format=text-plain", new Uint8Array([97]), {}, "a"],
  ["throttle-action?messages=5", "x", {}, "x"],
];

for (const [kamelet, body, headers, expected, went = "on"] of rows) {
  test(`${kamelet} on ${JSON.stringify(body)}`, async () => {
    const [result, reached] = await through(kamelet, body, headers);
    const plain = result instanceof Uint8Array ? new TextDecoder().decode(result) : result;
    assert.deepEqual([plain, reached], [expected, went]);
  });
}

test("extract-field-action puts a field into a header where it is told to, unless that is there and has to be free", async () => {
  const extracted = async (options: string, headers: Record<string, unknown> = {}): Promise<unknown[]> => {
    const { exchange, error } = await runRoute(
      route(`kamelet: extract-field-action?field=a&headerOutput=true${options}`),
      {
        body: { a: 1 },
        headers,
      },
    );
    assert.equal(error, undefined);
    const { message } = exchange;
    return [message.body, message.headers.get("CamelKameletsExtractFieldName") ?? message.headers.get("mine")];
  };
  assert.deepEqual(await extracted(""), [{ a: 1 }, 1]);
  assert.deepEqual(await extracted("&headerOutputName=mine"), [{ a: 1 }, 1]);
  assert.deepEqual(await extracted("&headerOutputName=mine&strictHeaderCheck=true", { mine: "there" }), [1, "there"]);
  assert.deepEqual(await extracted("&headerOutputName=mine&strictHeaderCheck=true"), [{ a: 1 }, 1]);
});

test("http-sink sends the body, http-source fetches", async (t) => {
  const server = await startHttpServer(t, ({ method }, answer) => answer.end(`answer to ${method}`));
  const sink = `kamelet: { name: http-sink, parameters: { url: "${server.url}/in", method: PUT } }`;
  const { exchange } = await runRoute(route(sink), {
    body: "sent",
    headers: { CamelHttpUri: "http://else.where/" },
    egress: loopback,
  });
  assert.equal(String(exchange.message.body), "answer to PUT");
  const source = `- route: { id: a, from: { uri: kamelet:http-source, parameters: { url: "${server.url}/out" } , steps: [{ log: "\${body}" }] } }`;
  const { logs } = await runRoute(source, { route: 1, egress: loopback });
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["answer to GET"],
  );
  assert.deepEqual(
    server.heard.map(({ method, url, headers, body }) => [method, url, headers.accept, body]),
    [
      ["PUT", "/in", undefined, "sent"],
      ["GET", "/out", "application/json", ""],
    ],
  );
});

test("insert-field-action fails for a message without a body", async () => {
  assert.deepEqual(await through("insert-field-action?field=a&value=b", null), ["No body available of type: JsonNode"]);
});

const refused: readonly (readonly [step: string, expected: RegExp])[] = [
  ["to: kamelet:log-snk", /^6:23 unknown_kamelet unknown kamelet 'log-snk' \(did you mean 'log-sink'\?\)$/],
  [
    "kamelet: { name: mongodb-sink, parameters: { topic: t } }",
    /^6:28 not_yet kamelet 'mongodb-sink' is refused: it is built on 'mongodb', which is part of Camel/,
  ],
  [
    "to: kamelet:sqlserver-sink",
    /^6:23 not_yet .* no driver for Microsoft SQL Server here: databases are PostgreSQL, /,
  ],
  ["to: kamelet:oracle-database-sink", /^6:23 not_yet .* no driver for Oracle Database here/],
  ["to: kamelet:snowflake-sink", /^6:23 not_yet .* no driver for Snowflake here/],
  ["to: kamelet:databricks-sink", /^6:23 not_yet .* no driver for Databricks here/],
  ["to: kamelet:regex-router-action", /^6:23 not_yet .* write its steps in its place/],
  ["kamelet: {}", /^6:11 missing_option step 'kamelet' needs 'name'/],
  ["kamelet: { name: log-sink, steps: [{ nope: {} }] }", /^6:48 unknown_step unknown step 'nope'/],
  ["kamelet: { name: log-sink, steps: nope }", /^6:45 wrong_type .*list of steps/],
  ["to: kamelet:http-sink", /^6:23 missing_option kamelet 'http-sink' needs 'url'/],
  [
    "to: { uri: kamelet:http-sink, parameters: { url: 'ftp://x' } }",
    /^6:60 invalid_value 'url' of kamelet 'http-sink' is an address/,
  ],
  ["to: kamelet:log-sink?level=LOUD", /^6:38 invalid_value .*one of TRACE, /],
  ["to: kamelet:log-sink?showHeader=true", /^6:32 unknown_option .*did you mean 'showHeaders'/],
  ["to: kamelet:log-sink?marker=x", /^6:39 not_yet .*no marker/],
  ["toD: kamelet:log-sink?loggerName=${body}", /^6:16 not_yet .*use 'to'/],
  ["kamelet: data-type-action?format=avro-binary", /^6:44 not_yet .*there are text-plain/],
  ["to: kamelet:log-sink?timeout=5", /^6:32 not_yet 'timeout' of a kamelet is refused/],
  ["to: kamelet:timer-source?message=x", /^6:23 no_producer kamelet 'timer-source' is a source/],
  ["to: kamelet:sink", /^6:15 bad_uri .*ends of a Kamelet's own template/],
  ["kamelet: set-body-action?value=${nope}", /^6:42 expression_syntax simple: Unknown function: nope/],
];

for (const [step, expected] of refused) {
  test(step, async () => {
    const errors = await errorsOf(route(step));
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0] as string, expected);
  });
}

test("no kamelet of this runtime is listed as missing", () => {
  assert.deepEqual(
    kamelets.filter(({ name }) => missingKamelet(name) !== undefined),
    [],
  );
});

test("a source needs 'from', a sink does not stand there", async () => {
  const errors = await errorsOf("- route: { id: a, from: { uri: kamelet:log-sink, steps: [{ stop: {} }] } }");
  assert.match(errors.join(), /^1:40 no_consumer kamelet 'log-sink' takes messages/);
});

/** Values for properties that take no word. */
function sampleOf(kamelet: string, property: string): string {
  if (property === "url") return "http://x.example/";
  if (property === "schedule") return "0 0 * * *";
  if (property === "expression") return kamelet === "simple-filter-action" ? "${body} == 1" : "@.a == 1";
  if (property === "format") return "text-plain";
  if (property === "port" || property === "portNumber") return "5672";
  if (["brokerURL", "remoteURI", "brokerUrl"].includes(property)) return "tcp://x.example:1883";
  return ["milliseconds", "messages"].includes(property) ? "5" : "a";
}

test("every kamelet of the runtime becomes routes that compile", async () => {
  for (const { name, properties, template } of kamelets) {
    const values = Object.entries(properties)
      .filter(([, { required }]) => required === true)
      .map(([key]) => `${key}: "${sampleOf(name, key)}"`);
    // No property of it is required, but one of two.
    if (name === "spring-rabbitmq-source") values.push('queues: "orders"');
    const use = `{ uri: kamelet:${name}, parameters: { ${values.join(", ")} }`;
    const source = !template.includes("kamelet:source");
    const yaml = source ? `- route: { id: a, from: ${use}, steps: [{ stop: {} }] } }` : route(`to: ${use} }`);
    assert.deepEqual(await errorsOf(yaml), [], name);
  }
});

const shout = `apiVersion: camel.apache.org/v1
kind: Kamelet
metadata: { name: shout-action }
spec:
  definition:
    required: [mark]
    properties:
      mark: { type: string }
      times: { type: integer, default: 2 }
  template:
    from:
      uri: kamelet:source
      steps:
        - setBody: { id: loud, simple: "\${body}{{mark}}{{times}}" }
        - to: "kamelet:set-body-action?value=\${body}."
`;

test("Kamelets and Pipes may stand in one text: the text's own kamelets come first", async () => {
  const yaml = `apiVersion: camel.apache.org/v1
kind: Pipe
metadata: { name: my-pipe }
spec:
  source: { ref: { kind: Kamelet, name: timer-source }, properties: { message: hi } }
  steps: [{ ref: { kind: Kamelet, name: shout-action }, properties: { mark: "!" } }]
  sink: { uri: "mock:end" }
---
${shout}`;
  const { routes } = await modelReal(yaml);
  assert.deepEqual(
    routes.map(({ id }) => id),
    ["my-pipe", "shop-set-body-action", "shop-shout-action", "shop-timer-source"],
  );
  const outcome = await runRoute(yaml, { route: 3 });
  assert.equal(outcome.exchange.message.body, "hi!2.");
});

test("a mistake in a text's own kamelet is told at its place, and one that contains itself at its use", async () => {
  const uses = (kamelet: string): string =>
    `kind: Integration\nmetadata: { name: i }\nspec: { flows: [{ from: { uri: timer:t, steps: [{ to: "kamelet:shout-action?mark=a" }] } }] }\n---\n${kamelet}`;
  const wrong = await errorsOf(uses(shout.replace("setBody", "setBdy")));
  assert.match(wrong.join("\n"), /^18:11 unknown_step[^\n]*$/);
  const endless = await errorsOf(
    uses(shout.replace("kamelet:set-body-action?value=${body}.", "kamelet:shout-action?mark={{mark}}x")),
  );
  assert.match(endless.join("\n"), /kamelet_depth .*contain itself/);
});

test("several documents are resources, nothing else", async () => {
  const errors = await errorsOf(`- from: { uri: timer:t, steps: [{ stop: {} }] }\n---\n${shout}`);
  assert.match(errors.join(), /^2:1 yaml_documents/);
  assert.match((await errorsOf(`${shout}---\nkind: Secret\nspec: {}\n`)).join(), /unknown_element kind 'Secret'/);
});

test("each property of a native kamelet is in its template, or warned of where it is given, or refused", async () => {
  for (const { name, properties, template } of kamelets) {
    for (const [key, { idle, only, default: value }] of Object.entries(properties)) {
      // What may have its default alone changes nothing.
      if (only?.length === 1 && only[0] === value) continue;
      const used = new RegExp(`\\{\\{[?!]?${key}\\b`).test(template);
      assert.equal(used, idle === undefined && only?.length !== 0, `${name}: ${key}`);
    }
  }
  const warnings = await warningsOf(
    '- from: { uri: "direct:start", steps: [{ to: "kamelet:log-sink?showStreams=true&showBody=false" }] }',
  );
  const [warning, ...others] = warnings.filter((line) => line.includes("no_effect"));
  assert.match(warning ?? "", /^1:\d+ no_effect 'showStreams' of kamelet 'log-sink' has no effect: a body is never/);
  assert.deepEqual(others, []);
});

/** Route templates of the flow, and a route `main` with these steps. */
const templates = `- routeTemplate:
    id: greet
    parameters:
      - { name: who }
      - { name: greeting, defaultValue: Hello }
      - { name: text, defaultValue: "{{greeting}} {{who}}" }
    from: { uri: kamelet:source, steps: [{ setBody: { id: set, simple: "{{text}} \${body}" } }] }
- routeTemplate:
    id: each
    beans: [{ name: all, type: org.apache.camel.processor.aggregate.StringAggregationStrategy, properties: { delimiter: "+" } }]
    parameters: []
    route:
      from:
        uri: kamelet:source
        steps:
          - split: { tokenize: ",", aggregationStrategy: "{{all}}", steps: [{ to: { id: out, uri: kamelet:sink } }] }
- routeTemplate:
    id: ticks
    from: { uri: direct:tick, steps: [{ setBody: { constant: tick } }] }
`;

async function bodyOf(...steps: readonly string[]): Promise<unknown> {
  const { exchange, error } = await runRoute(templates + route(...steps), { body: "a,b" });
  assert.equal(error, undefined);
  return exchange.message.body;
}

test("a route template is a kamelet: defaults name other parameters, beans are its own, step ids stay apart", async () => {
  assert.equal(
    await bodyOf("to: kamelet:greet?who=Ada", "kamelet: { name: greet, parameters: { who: Bob, greeting: Hi } }"),
    "Hi Bob Hello Ada a,b",
  );
  const steps = '{ setBody: { simple: "<${body}>" } }';
  assert.equal(await bodyOf(`kamelet: { name: each, steps: [${steps}] }`), "<a>+<b>");
  assert.equal(await bodyOf("kamelet: each"), "a+b");
  assert.equal(
    await bodyOf(
      `kamelet: { name: greet, parameters: { who: Ada }, steps: [${steps}, { kamelet: { name: each, steps: [${steps}] } }] }`,
    ),
    "<<Hello Ada a>+<b>>",
  );
});

test("steps inside of a kamelet are the route's own: its error handler repeats the one that fails", async () => {
  const handler = `- onException:
    exception: [java.lang.IllegalStateException]
    redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 1 }
    handled: { constant: "true" }
    steps: [{ log: "handled \${body}" }]
`;
  const inner = [
    "{ log: 'in' }",
    "{ throwException: { exceptionType: java.lang.IllegalStateException, message: no } }",
  ];
  const { error, logs, exchange } = await runRoute(
    handler +
      templates +
      route(`kamelet: { name: greet, parameters: { who: Ada }, steps: [${inner.join(", ")}] }`, "log: after"),
    { body: "b" },
  );
  assert.equal(error, undefined);
  assert.deepEqual(
    logs.map(({ message }) => message.replace(/.*On delivery attempt: (\d).*/, "attempt $1")),
    ["in", "attempt 0", "attempt 1", "attempt 2", "handled Hello Ada b"],
  );
  assert.equal(exchange.stopped, true);
});

test("a template that only kamelets use is used; one that nobody uses is warned of", async () => {
  const steps = ["to: kamelet:greet?who=Ada", "to: kamelet:each"];
  const unused =
    "17:3 unused_template no 'templatedRoute' and no 'kamelet:ticks' uses the route template 'ticks': it makes no route, and is not checked";
  const found = await warningsOf(templates + route(...steps));
  assert.deepEqual(
    found.filter((text) => text.includes("unused_template")),
    [unused],
  );
});

test("a template's uses are checked where they stand", async () => {
  const line = templates.split("\n").length + 5;
  const rows: readonly (readonly [step: string, expected: RegExp])[] = [
    ["to: kamelet:greet", /^\d+:23 missing_option kamelet 'greet' needs 'who'/],
    ["to: kamelet:gret?who=x", /^\d+:23 unknown_kamelet unknown kamelet 'gret' \(did you mean 'greet'\?\)/],
    ["to: kamelet:ticks", /^\d+:23 no_producer kamelet 'ticks' is a source: it stands in 'from'/],
    ["to: { uri: kamelet:greet, parameters: { who: [x] } }", /wrong_type parameter 'who' of a kamelet is text/],
  ];
  for (const [step, expected] of rows) {
    const errors = await errorsOf(templates + route(step));
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0] as string, expected);
    assert.ok(errors.join().startsWith(`${line}:`), errors.join());
  }
  const warnings = await warningsOf(templates + route("to: kamelet:greet?who=x&greting=y"));
  assert.ok(
    warnings.some((text) =>
      /^\d+:35 no_effect the route template 'greet' declares no parameter 'greting' \(did you mean 'greeting'\?\)/.test(
        text,
      ),
    ),
    warnings.join("\n"),
  );
});
