/** What a route with a path of its own gets of a request, and what its caller gets back (Camel's platform-http). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, direct } from "../support/flows.ts";
import { httpRoute, says, withFlow } from "../support/platform-http.ts";
import { exchangeRaw } from "./http/raw.ts";

const form = { "Content-Type": "application/x-www-form-urlencoded" };

test("the message has Camel's headers: the request's, then its query's, then the path's", async (t) => {
  const names = [
    "CamelHttpMethod",
    "CamelHttpPath",
    "CamelHttpUri",
    "CamelHttpUrl",
    "CamelHttpQuery",
    "CamelHttpRawQuery",
  ];
  const template = [...names, "CamelHttpCharacterEncoding", "x-a", "q", "id"]
    .map((name) => `\${header.${name}}`)
    .join("|");
  const app = await withFlow(t, httpRoute("r", "/h/{id}", says(template)));
  const answer = await app.send("POST", "/h/7?q=a%20b&id=8&q=c", "x", {
    "X-A": "1",
    "Content-Type": "text/plain; charset=UTF-8",
  });
  const uri = "/h/7?q=a%20b&id=8&q=c";
  const query = uri.slice(5);
  assert.equal(await answer.text(), `POST|/h/7|${uri}|${app.url}${uri}|${query}|${query}|UTF-8|1|[a b, c]|[8, 7]`);
  assert.equal(await app.text("/h/7"), `200 GET|/h/7|/h/7|${app.url}/h/7||||||7`);
});

test("no header, query parameter or form field that steers Camel gets in, in any case", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/s", says("${headers}|${body}")));
  const answer = await app.send(
    "POST",
    "/s?CAMELhttpUri=evil&org.apache.CAMEL.x=evil",
    "camelHttpResponseCode=500&Camel%46ileName=evil&ok=1",
    { ...form, cAmElHttpPath: "evil", "Org.Apache.Camel.Y": "evil" },
  );
  assert.equal(answer.status, 200);
  const text = await answer.text();
  assert.match(text, /ok/);
  const said = text.replaceAll(/CamelHttp(?:Uri|Url|Query|RawQuery)=[^,}]*/g, "");
  assert.doesNotMatch(said, /evil|=500/);
});

test("a form's fields become headers, and the body a map that renders as Java's", async (t) => {
  const app = await withFlow(
    t,
    httpRoute("r", "/form", says("${header.foo}|${body}|${body[cheese]}|${body[many]}")) +
      httpRoute("m", "/method", says("Hello ${body[method]}")) +
      httpRoute("h", "/headers?populateBodyWithForm=false", says("${header.foo}|${body}")) +
      httpRoute("d", "/call", 'to: "direct:shared"') +
      httpRoute("raw", "/raw", 'log: "x"'),
  );
  await app.put("other", direct("o", "shared", says("${body[foo]} of ${body}")));
  const text = "foo=b%C3%A4r&cheese=wine+and+more&many=1&many=2&__proto__=p&empty";
  const answer = await app.send("POST", "/form?foo=q", text, form);
  const map = "{foo=bär, cheese=wine and more, many=[1, 2], __proto__=p, empty=}";
  assert.equal(await answer.text(), `[q, bär]|${map}|wine and more|[1, 2]`);
  assert.equal(await (await app.send("POST", "/headers", "foo=1", form)).text(), "1|");
  assert.equal(await (await app.send("POST", "/call", "foo=1", form)).text(), "1 of {foo=1}");
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    assert.equal(await (await app.send(method, "/method", `method=${method}`, form)).text(), `Hello ${method}`);
  }
  assert.equal(await (await app.send("OPTIONS", "/method", "method=x", form)).text(), "Hello ");
  assert.equal((await app.send("POST", "/form", "a=%zz", form)).status, 400);
  const many = Array.from({ length: 300 }, (_, i) => `f${i}=1`).join("&");
  for (const huge of [many, `a=${"x".repeat(70_000)}`, `a=${"x".repeat(300_000)}`]) {
    const refused = await app.send("POST", "/form", huge, form);
    assert.equal(`${refused.status} ${refused.headers.get("x-error-code")}`, "413 body_too_large");
  }
  assert.equal(await (await app.send("POST", "/raw", "a=1", form)).text(), '{"a":"1"}');
});

test("a JSON body is text, valid or not, that steps may look into", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/j", says("${body}")) + httpRoute("s", "/k", says("${body[n]}")));
  const json = { "Content-Type": "application/json" };
  for (const text of ['{ "n": 1.0 }', "{", "7"]) {
    assert.equal(await (await app.send("POST", "/j", text, json)).text(), text);
  }
  assert.equal(await (await app.send("POST", "/k", '{"n": 5}', json)).text(), "5");
  const bytes = await fetch(`${app.url}/j`, { method: "PUT", body: new Uint8Array([0, 255]) });
  assert.deepEqual([...new Uint8Array(await bytes.arrayBuffer())], [0, 255]);
});

test("the answer's status: the code that is set, 204 for nothing to say, else 200", async (t) => {
  const code = (value: number): string => `setHeader: { name: CamelHttpResponseCode, constant: ${value} }`;
  const app = await withFlow(
    t,
    [
      httpRoute("null", "/null", 'log: "x"'),
      httpRoute("blank", "/blank", 'setBody: { constant: { expression: "  ", trim: false } }'),
      httpRoute("code", "/code", code(201), 'log: "x"'),
      httpRoute("failure", "/failure", code(500)),
      httpRoute("both", "/both", code(418), says("tea")),
      httpRoute("none", "/none", code(304), says("x")),
      httpRoute("date", "/date", "setBody: { simple: '${exchange.created}' }", "convertBodyTo: Date"),
    ].join(""),
  );
  const texts = { null: "204 ", blank: "204 ", code: "201 ", failure: "500 ", both: "418 tea", none: "304 " };
  for (const [path, expected] of Object.entries(texts)) assert.equal(await app.text(`/${path}`), expected, path);
  const date = await app.get("/date");
  assert.equal(date.status, 500);
  const run = (await (await app.api(`/runs/${date.headers.get("x-run-id")}`)).json()) as { error: { type: string } };
  assert.equal(run.error.type, "org.apache.camel.NoTypeConversionAvailableException");
  const plain = await app.get("/both");
  assert.equal(plain.headers.get("content-type"), null);
});

test("the request's own headers come back, but never credentials, standard ones, or what a link can set", async (t) => {
  const app = await withFlow(
    t,
    [
      httpRoute(
        "r",
        "/e",
        "setHeader: { name: X-Route, constant: '' }",
        "setHeader: { name: Cache-Control, constant: x }",
      ),
      httpRoute("all", "/all?returnHttpRequestHeaders=true", says("x")),
      httpRoute("removed", "/removed", "removeHeaders: '*'", says("x")),
      httpRoute("far", "/far", 'to: "direct:far"'),
    ].join(""),
  );
  await app.put("other", direct("o", "far", says("x")));
  const sent = {
    ...{
      nonEmpty: "1",
      empty: "",
      Accept: "text/plain",
      "User-Agent": "me",
      Origin: "http://o",
      "Content-Type": "text/x",
    },
    ...{ Authorization: "Bearer theirs", Cookie: "c=1", "X-API-Key": "k", Via: "1.1 p", "X-Accel-Redirect": "/secret" },
    ...{ "Set-Cookie": "sent=1", "Access-Control-Allow-Origin": "*", Location: "http://evil", "X-Request-Id": "mine" },
  };
  const query = "?Set-Cookie=a&X-Mine=1&Set-Cookie=b&Content-Type=text/html&%0a=x&bad%0d%0aname=1";
  const fixed = ["connection", "date", "keep-alive", "content-length", "traceparent", "x-run-id"];
  const backFrom = async (path: string): Promise<Record<string, string>> => {
    const { headers } = await app.send("POST", `${path}${query}`, "body", sent);
    assert.equal(headers.get("x-request-id"), "mine");
    return Object.fromEntries(
      [...headers].filter(
        ([name]) => !fixed.includes(name) && !/^(?:x-request-id|accept-language|sec-fetch-mode)$/.test(name),
      ),
    );
  };
  const own = { nonempty: "1", empty: "", "content-type": "text/x" };
  assert.deepEqual(await backFrom("/e"), { ...own, "x-route": "" });
  assert.deepEqual(await backFrom("/far"), own);
  const { accept, origin, "user-agent": agent } = await backFrom("/all");
  assert.deepEqual([accept, origin, agent], ["text/plain", "http://o", "me"]);
  assert.deepEqual(await backFrom("/removed"), {});
});

test("a failed run answers the runtime's error, with the route's status and headers; the message only when it may", async (t) => {
  const failing = [
    "setHeader: { name: X-Why, constant: because }",
    "throwException: { exceptionType: java.lang.IllegalStateException, message: 'the inside' }",
  ];
  const app = await withFlow(
    t,
    httpRoute("r", "/fails", ...failing) +
      httpRoute("s", "/told?muteException=false", ...failing) +
      httpRoute("c", "/coded", "setHeader: { name: CamelHttpResponseCode, constant: 409 }", ...failing),
  );
  const muted = await app.get("/fails", { "X-Mine": "1" });
  assert.equal(muted.status, 500);
  assert.equal(muted.headers.get("x-error-code"), "run_failed");
  assert.equal(muted.headers.get("content-type"), "application/json; charset=utf-8");
  assert.deepEqual([muted.headers.get("x-why"), muted.headers.get("x-mine")], ["because", "1"]);
  assert.ok(muted.headers.get("x-run-id") !== null && muted.headers.get("traceparent") !== null);
  const text = await muted.text();
  const error = `the run ${muted.headers.get("x-run-id")} failed: its record says where and why`;
  assert.deepEqual(JSON.parse(text), { error });
  assert.equal(await app.text("/told"), '500 {"error":"the inside"}');
  assert.match(await app.text("/coded"), /^409 \{"error":"the run [a-z0-9-]+ failed/);
});

test("a header that Connection names is meant for this hop only, for webhooks too", async (t) => {
  const app = await withFlow(
    t,
    httpRoute("r", "/c", says("${header.x-hop}|${header.x-end}|${header.CamelHttpMethod}")),
  );
  await app.put(
    "w",
    answering("w", "${header.x-hop}|${header.x-end}|${header.CamelHttpMethod}").replace("constant", "simple"),
  );
  for (const target of ["/c", "/api/w"]) {
    const head = `POST ${target} HTTP/1.1\r\nHost: h\r\nX-Hop: 1\r\nConnection: close , x-HOP,CamelHttpMethod\r\nX-End: 2\r\nContent-Length: 0\r\n\r\n`;
    assert.match(await exchangeRaw(Number(new URL(app.url).port), head), /\r\n\r\n\|2\|POST$/, target);
  }
});

test("respond-async and idempotency keys work as on webhooks", async (t) => {
  const app = await withFlow(t, httpRoute("r", "/i/{id}", says("${exchangeId}")));
  const later = await app.send("PUT", "/i/1", "x", { Prefer: "respond-async" });
  assert.equal(later.status, 202);
  assert.match(later.headers.get("location") ?? "", /^\/_api\/runs\//);
  const key = { "Idempotency-Key": "k" };
  const first = await (await app.send("PUT", "/i/1", "x", key)).text();
  const again = await app.send("PUT", "/i/1", "x", key);
  assert.equal(await again.text(), first);
  assert.equal(again.headers.get("idempotency-replayed"), "true");
});

test("a text that has come is one part of a split, as a stream is in Camel; one that a step has made is cut at commas", async (t) => {
  const split = `split: { simple: "\${body}", aggregationStrategy: "#class:org.apache.camel.processor.aggregate.StringAggregationStrategy", steps: [ { ${says("<${body}>")} } ] }`;
  const app = await withFlow(
    t,
    httpRoute("came", "/came", split) + httpRoute("made", "/made", "convertBodyTo: { type: String }", split),
  );
  assert.equal(await (await app.send("POST", "/came", "a,b")).text(), "<a,b>");
  assert.equal(await (await app.send("POST", "/made", "a,b")).text(), "<a><b>");
});
