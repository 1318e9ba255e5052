/** Rest services over HTTP (Camel: RestBindingAdvice, DefaultRestClientRequestValidator; conformance cases 24 and 141). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct } from "../support/flows.ts";
import { type HttpTestApp, says, withFlow } from "../support/platform-http.ts";

const json = { "content-type": "application/json" };

async function line(answer: Response): Promise<string> {
  return `${answer.status} ${answer.headers.get("content-type") ?? "-"} ${await answer.text()}`;
}

test("each method of each path is a route; the paths of the configuration, the service and the method are joined", async (t) => {
  const app = await withFlow(
    t,
    `- restConfiguration: { contextPath: /shop/ }
- rest:
    path: /orders/
    get:
      - { path: "/{id}", to: "direct:one" }
      - to: direct:all
    post: [{ to: { uri: direct, parameters: { name: new } } }]
    delete: [{ path: "{id}", to: "direct:one", disabled: true }]
- rest: { get: [{ path: ping, to: "direct:all" }] }
${direct("one", "one", says("one ${header.id} ${header.CamelHttpMethod}"))}${direct("all", "all", says("all"))}${direct("new", "new", says("new ${body}"))}`,
  );
  assert.equal(await app.text("/shop/orders/7"), "200 one 7 GET");
  assert.equal(await app.text("/shop/orders"), "200 all");
  assert.equal(await app.text("/shop/ping"), "200 all");
  assert.equal(
    await line(await app.send("POST", "/shop/orders", "x", { "content-type": "text/plain" })),
    "200 text/plain new x",
  );
  assert.equal((await app.send("DELETE", "/shop/orders/7")).status, 405);
  assert.match(await app.text("/orders/7"), /^404/);
});

test("a method's path that is only a slash, or empty, answers with the slash; one that is left out answers with and without it", async (t) => {
  const app = await withFlow(
    t,
    `- rest: { path: /, get: [{ path: "", to: "direct:all" }, { path: /x/, to: "direct:all" }] }
- rest: { path: /slash, get: [{ path: /, to: "direct:all" }] }
- rest: { path: /empty, get: [{ path: "", to: "direct:all" }] }
- rest: { path: /only, get: [{ to: "direct:all" }], post: [{ path: /, to: "direct:all" }] }
${direct("all", "all", says("all"))}`,
  );
  const statuses: Record<string, number> = {};
  for (const asked of ["/", "/x", "/x/", "/slash", "/slash/", "/empty", "/empty/", "/only", "/only/"]) {
    statuses[asked] = (await app.get(asked)).status;
  }
  assert.deepEqual(statuses, {
    "/": 200,
    "/x": 200,
    "/x/": 200,
    "/slash": 404,
    "/slash/": 200,
    "/empty": 404,
    "/empty/": 200,
    "/only": 200,
    "/only/": 200,
  });
  assert.equal((await app.send("POST", "/only", "x", { "content-type": "text/plain" })).status, 405);
  assert.equal((await app.send("POST", "/only/", "x", { "content-type": "text/plain" })).status, 200);
});

async function bindingApp(t: Parameters<typeof withFlow>[0], options: string): Promise<HttpTestApp> {
  return withFlow(
    t,
    `- rest:
    path: /r
    ${options}
    post: [{ path: /echo, to: "direct:echo" }, { path: /text, to: "direct:text" }, { path: /code, to: "direct:code" }, { path: /pass, to: "log:pass" }]
    get: [{ path: /none, to: "direct:none" }, { path: /list, to: "direct:list" }]
${direct("echo", "echo", "setHeader: { name: seen, simple: '${body[name]}|${body}' }")}${direct("text", "text", "setBody: { constant: plain }")}${direct(
  "code",
  "code",
  "setHeader: { name: CamelHttpResponseCode, constant: 409 }",
  "setBody: { constant: taken }",
)}${direct("none", "none", "setBody: { simple: '${null}' }")}${direct("list", "list", "setBody: { simple: '${list()}' }")}`,
  );
}

test("bindingMode json: bodies are values in the route and JSON outside; error codes are not bound", async (t) => {
  const app = await bindingApp(t, "bindingMode: json");
  const echo = await app.send("POST", "/r/echo", '{"name":"ada","n":[1]}', json);
  assert.equal(echo.headers.get("seen"), "ada|{name=ada, n=[1]}");
  assert.equal(await line(echo), '200 application/json {"name":"ada","n":[1]}');
  assert.equal(await line(await app.send("POST", "/r/text", "{}", json)), '200 application/json "plain"');
  assert.equal(await line(await app.send("POST", "/r/code", "{}", json)), "409 application/json taken");
  assert.match(await line(await app.send("GET", "/r/none")), /^204 /);
  assert.equal(await line(await app.send("GET", "/r/list")), "200 application/json []");
  const broken = await app.send("POST", "/r/echo", '{"name":', { "content-type": "application/vnd.x+json" });
  assert.equal(broken.status, 400);
});

test("bindingMode off leaves bodies alone, auto leaves XML alone; an empty reply can be 204", async (t) => {
  const off = await bindingApp(t, "produces: text/css");
  assert.equal(await line(await off.send("GET", "/r/none")), "204 - ");
  assert.equal(await line(await off.send("POST", "/r/text")), "200 text/css plain");
  const auto = await bindingApp(t, "bindingMode: auto\n    enableNoContentResponse: true");
  assert.equal(
    await line(await auto.send("POST", "/r/pass", "<a/>", { "content-type": "application/xml" })),
    "200 application/xml <a/>",
  );
  assert.match(await line(await auto.send("GET", "/r/list")), /^204 /);
});

test("the answer's Content-Type is one type: what the caller accepts, else JSON before XML, else what is produced", async (t) => {
  const rest = `- rest: { path: /r, produces: "application/xml,application/json", get: [{ path: /text, to: "direct:text" }] }\n`;
  const app = await withFlow(t, rest + direct("text", "text", "setBody: { constant: plain }"));
  const typeFor = async (Accept: string): Promise<string> =>
    await line(await app.send("GET", "/r/text", undefined, { Accept }));
  assert.equal(await typeFor("application/json"), "200 application/json plain");
  assert.equal(await typeFor("application/xml"), "200 application/xml plain");
  assert.equal(await typeFor("*/*"), "200 application/json plain");
  assert.equal(await typeFor("application/json,application/xml"), "200 application/json plain");
});

test("clientRequestValidation answers what a request lacks, with Camel's texts in documents of JSON", async (t) => {
  const app = await withFlow(
    t,
    `- rest:
    path: /v
    clientRequestValidation: true
    post:
      - path: /body
        consumes: application/json
        produces: application/json
        param: [{ name: body, type: body }]
        to: direct:ok
    get:
      - path: /query
        param:
          - { name: q, type: query }
          - { name: size, type: query, required: false, defaultValue: 10, allowableValues: [{ value: 10 }, { value: 20 }] }
          - { name: X-Key, type: header, required: true }
        to: direct:ok
${direct("ok", "ok", says("ok ${header.q} ${header.size}"))}`,
  );
  const post = async (body: string, headers: Record<string, string> = json): Promise<string> =>
    line(await app.send("POST", "/v/body", body, headers));
  assert.equal(await post(""), '400 application/json {"error":"The request body is missing."}');
  assert.equal(await post("   "), '400 application/json {"error":"The request body is missing."}');
  assert.equal(await post("{}"), "200 application/json ok  ");
  assert.equal(await post("{no"), '400 application/json {"error":"Invalid JSon payload."}');
  assert.match(await post("{}", { "content-type": "text/plain" }), /^415 /);
  assert.match(await post("{}", { ...json, accept: "text/html" }), /^406 /);
  const get = async (query: string, headers: Record<string, string> = { "x-key": "k" }): Promise<string> => {
    return line(await app.get(`/v/query${query}`, headers));
  };
  assert.equal(await get(""), '400 application/json {"error":"Some of the required query parameters are missing."}');
  assert.equal(
    await get("?q=1", {}),
    '400 application/json {"error":"Some of the required HTTP headers are missing."}',
  );
  assert.equal(
    await get("?q=1&size=11"),
    '400 application/json {"error":"Some of the query parameters or HTTP headers has a not-allowed value."}',
  );
  assert.match(await get("?q=1"), /^200 \S+ ok 1 10$/);
  assert.match(await get("?q=1&size=20"), /^200 \S+ ok 1 20$/);
});

test("CORS: OPTIONS is 204 with Access-Control headers, which every answer has, a failure's too", async (t) => {
  const app = await withFlow(
    t,
    `- restConfiguration:
    enableCORS: true
    corsHeaders: [{ key: Access-Control-Allow-Credentials, value: "true" }, { key: Access-Control-Max-Age, value: 7 }]
- rest:
    path: /c
    get: [{ to: "direct:c" }]
    put: [{ to: "direct:fails" }, { path: /own, enableCORS: false, to: "direct:c" }]
${direct("c", "c", says("c"))}${direct("fails", "fails", "throwException: { exceptionType: java.io.IOException, message: no }")}`,
  );
  const origin = { origin: "https://here.example" };
  const preflight = await app.send("OPTIONS", "/c", undefined, origin);
  assert.equal(preflight.status, 204);
  const expected = {
    "access-control-allow-origin": "https://here.example",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE, TRACE, OPTIONS, CONNECT, PATCH",
    "access-control-allow-headers":
      "Origin, Accept, X-Requested-With, Content-Type, Access-Control-Request-Method, Access-Control-Request-Headers",
    "access-control-max-age": "7",
    "access-control-allow-credentials": "true",
  };
  for (const answer of [preflight, await app.get("/c", origin), await app.send("PUT", "/c", undefined, origin)]) {
    for (const [name, value] of Object.entries(expected)) assert.equal(answer.headers.get(name), value);
  }
  assert.equal((await app.send("PUT", "/c")).status, 500);
  assert.equal((await app.get("/c")).headers.get("access-control-allow-origin"), "*");
  assert.equal((await app.send("OPTIONS", "/c/own")).status, 405);
  assert.equal((await app.send("PUT", "/c/own", undefined, origin)).headers.get("access-control-allow-origin"), null);
});

test("a route can begin with rest:, and a route template, a kamelet and a rest service work together", async (t) => {
  const app = await withFlow(
    t,
    `- restConfiguration: { contextPath: /x }
- from:
    uri: rest:get:hello:/{me}
    steps: [{ setBody: { simple: "hello \${header.me}" } }]
- routeTemplate:
    id: greets
    parameters: [{ name: path }, { name: greeting, defaultValue: Hi }]
    route:
      from:
        uri: "platform-http:{{path}}"
        steps:
          - kamelet: { name: set-body-action, parameters: { value: "{{greeting}} \${header.who}" } }
- templatedRoute: { routeTemplateRef: greets, routeId: a, parameters: [{ name: path, value: "/greet/{who}" }] }
- templatedRoute:
    routeTemplateRef: greets
    parameters: [{ name: path, value: "/bye/{who}" }, { name: greeting, value: Bye }]
- rest: { get: [{ path: /k, to: "kamelet:set-body-action?value=kamelet" }] }
`,
  );
  assert.equal(await app.text("/x/hello/ada"), "200 hello ada");
  assert.equal(await app.text("/greet/ada"), "200 Hi ada");
  assert.equal(await app.text("/bye/ada"), "200 Bye ada");
  assert.equal(await app.text("/x/k"), "200 kamelet");
});
