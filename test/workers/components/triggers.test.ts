/** What `from` endpoints ask of control. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trigger } from "../../../src/shared/manifest.ts";
import { compileYaml, runRoute } from "../../support/run-route.ts";
import { errorsOf } from "../check/real-catalog.ts";

function trigger(uri: string): Trigger | undefined {
  return compileYaml(`- route: { id: r, from: { uri: "${uri}", steps: [{ log: m }] } }`).manifest.routes[0]?.trigger;
}

const camelDefaults = {
  periodMs: 1000,
  delayMs: 1000,
  repeatCount: 0,
  fixedRate: false,
  includeMetadata: false,
  overlap: "skip",
};

test("a timer has Camel's defaults and reads durations", () => {
  assert.deepEqual(trigger("timer:tick"), { kind: "timer", name: "tick", ...camelDefaults });
  assert.deepEqual(
    trigger("timer:tick?period=1m30s&delay=0&repeatCount=3&fixedRate=true&includeMetadata=true&overlap=queue"),
    {
      kind: "timer",
      name: "tick",
      periodMs: 90_000,
      delayMs: 0,
      repeatCount: 3,
      fixedRate: true,
      includeMetadata: true,
      overlap: "queue",
    },
  );
});

test("a timer's name may be given as timerName or name", () => {
  for (const key of ["timerName", "name"]) {
    const yaml = `- from: { uri: timer, parameters: { ${key}: tick }, steps: [{ log: m }] }`;
    assert.equal((compileYaml(yaml).manifest.routes[0]?.trigger as { name: string }).name, "tick");
  }
  assert.throws(() => trigger("timer:a?name=b"), /two names/);
  assert.throws(() => trigger("timer"), /needs a name|timerName/);
});

test("periods that no clock can keep are refused", () => {
  for (const period of ["0", "-1", "9", "soon"])
    assert.throws(() => trigger(`timer:t?period=${period}`), /period/, period);
  assert.throws(() => trigger("timer:t?delay=-1"), /delay/);
  assert.throws(() => trigger("timer:t?time=2026-01-01"), /not possible yet/);
  assert.deepEqual(trigger("timer:t?repeatCount=-1"), { kind: "timer", name: "t", ...camelDefaults });
});

test("a webhook answers at the route's own place only, and so does platform-http without a path", () => {
  assert.deepEqual(trigger("webhook"), { kind: "webhook" });
  assert.deepEqual(trigger("platform-http"), { kind: "webhook" });
  assert.throws(() => trigger("webhook:orders"), /\/api\/<route id>/);
  assert.throws(
    () => trigger("platform-http?httpMethodRestrict=GET"),
    /httpMethodRestrict belongs to a route with a path/,
  );
});

test("platform-http with a path has Camel's defaults and reads its options", () => {
  const defaults = { prefix: false, methods: [], consumes: [], produces: [] };
  const flags = { muteException: true, returnRequestHeaders: false, formAsBody: true };
  for (const uri of ["platform-http:/orders/{id}", "platform-http:orders/{id}", "platform-http://orders/{id}"]) {
    assert.deepEqual(trigger(uri), { kind: "http", path: "/orders/{id}", ...defaults, ...flags }, uri);
  }
  assert.deepEqual(
    trigger(
      "platform-http:/x?httpMethodRestrict=get, POST,get&consumes=Application/JSON;charset=utf-8,text/*&produces=*/*&matchOnUriPrefix=true&muteException=false&returnHttpRequestHeaders=true&populateBodyWithForm=false",
    ),
    {
      kind: "http",
      path: "/x",
      prefix: true,
      methods: ["GET", "POST"],
      consumes: ["application/json", "text/*"],
      produces: [],
      muteException: false,
      returnRequestHeaders: true,
      formAsBody: false,
    },
  );
});

test("platform-http refuses what it cannot serve, with a word on what to do", () => {
  const refused: readonly (readonly [rest: string, complaint: RegExp])[] = [
    ["/x?httpMethodRestrict=FETCH", /names 'FETCH': there are GET/],
    ["/x?consumes=json", /written like application\/json/],
    ["/x?useStreaming=true", /read whole/],
    ["/x?requestTimeout=5", /webhookWallMs/],
    ["/x?useCookieHandler=true", /Set-Cookie/],
    ["proxy", /HTTP proxy/],
    ["/a*/b", /only at the end/],
    ["/x/{a}{b}", /at most one \{name\}/],
    ["/x/{a:[0-9]+}", /not the name of a parameter/],
    ["/x/a:b", /%3A/],
    ["/x/{a b}", /name of a parameter/],
    ["/x/{a}/{A}", /two parameters are called 'A'/],
    ["/x/{CamelHttpUri}", /Camel's own header/],
    ["/x/{a}.json*", /a prefix ends in/],
    ["/x//y", /no '\/\/'/],
    ["/x/../y", /no segments/],
    ["/x/%zz", /not UTF-8/],
    ["/x/a%2Fb", /no request's path has/],
    [`/x/${"y".repeat(1000)}`, /at most 1000 characters/],
  ];
  for (const [rest, complaint] of refused) assert.throws(() => trigger(`platform-http:${rest}`), complaint, rest);
});

test("a path under /api is the route's own or nobody's", () => {
  assert.equal((trigger("platform-http:/api/r") as { path: string }).path, "/api/r");
  assert.throws(() => trigger("platform-http:/api/s"), /flow:1:32: .*this route's own is \/api\/r/);
});

test("two routes of a flow cannot answer the same method of a path, whatever its parameters are called", () => {
  const flow = (...rests: readonly string[]): string =>
    rests.map((rest) => `- from: { uri: "platform-http:${rest}", steps: [{ log: m }] }\n`).join("");
  for (const [a, b] of [
    ["/x/{a}", "/x/:b"],
    ["/x", "x/"],
    ["/x?httpMethodRestrict=GET,PUT", "/x?httpMethodRestrict=POST,PUT"],
    ["/x*", "/x?matchOnUriPrefix=true"],
  ] as const) {
    assert.throws(() => compileYaml(flow(a, b)), /already answered by route 'route1' at line 1/, `${a} ${b}`);
  }
  assert.equal(
    compileYaml(flow("/x?httpMethodRestrict=GET", "/x?httpMethodRestrict=PUT", "/x*")).manifest.routes.length,
    3,
  );
});

test("direct has a name, and may be shared", () => {
  assert.deepEqual(trigger("direct:a"), { kind: "direct", name: "a", shared: false });
  assert.deepEqual(trigger("direct:a?shared=true"), { kind: "direct", name: "a", shared: true });
  assert.throws(() => trigger("direct:a?failIfNoConsumers=false"), /belong to the caller/);
});

test("a component on the wrong side is refused", () => {
  assert.throws(() => trigger("log:x"));
  assert.throws(() => compileYaml('- from: { uri: "direct:a", steps: [{ to: "timer:t" }] }'));
  assert.throws(
    () => compileYaml('- from: { uri: "direct:a", steps: [{ to: "direct:b?shared=true" }] }'),
    /in its 'from'/,
  );
});

test("mock lets the message pass unchanged", async () => {
  const { exchange } = await runRoute('- from: { uri: "direct:a", steps: [{ to: "mock:m" }] }', { body: "x" });
  assert.equal(exchange.message.body, "x");
  assert.equal(exchange.message.written, false);
  assert.throws(
    () => compileYaml('- from: { uri: "direct:a", steps: [{ to: "mock:m?retainFirst=1" }] }'),
    /test session/,
  );
});

test("a schedule that is over is refused, unless ignoreExpiredNextFireTime says that it may be", async () => {
  const errors = (more: string): Promise<string[]> =>
    errorsOf(`- from: { uri: "quartz:t?cron=0+0+0+1+1+?+2020${more}", steps: [{ log: m }] }`);
  assert.match((await errors("")).join(), /has no moment that is still to come/);
  assert.deepEqual(await errors("&ignoreExpiredNextFireTime=true"), []);
});

test("exchangePattern: what a consumer does anyway is accepted, another pattern and the pattern of a call are refused", async () => {
  for (const uri of [
    "timer:t?exchangePattern=InOnly",
    "scheduler:s?exchangePattern=InOnly",
    "cron:c?schedule=0+0+*+*+*&exchangePattern=InOnly",
    "quartz:q?cron=0+0+*+*+*+?&exchangePattern=InOnly",
    "platform-http:/p?exchangePattern=InOut",
    "direct:d?exchangePattern=InOut",
    "seda:s?exchangePattern=InOut",
  ]) {
    assert.ok(trigger(uri), uri);
  }
  for (const uri of ["timer:t?exchangePattern=InOut", "platform-http:/p?exchangePattern=InOnly"]) {
    assert.throws(() => trigger(uri), /'exchangePattern'.*leave it out/, uri);
  }
  for (const uri of ["direct:d", "seda:s"]) {
    const calling = `- from: { uri: timer:t, steps: [{ to: "${uri}?exchangePattern=InOut" }] }`;
    await assert.rejects(runRoute(calling), /the pattern stands beside the uri: 'pattern: InOut'/, uri);
  }
});
