/** The http producer as Camel has it (HttpProducerSelectMethodTest, HttpProducer, HttpHelper, HttpMethodHelper). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { readForm } from "../../../src/workers/engine/form.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { callTo, headersOf } from "./http-calls.ts";

const methods: readonly (readonly [
  what: string,
  body: unknown,
  headers: Readonly<Record<string, unknown>>,
  query: string,
  expected: string,
])[] = [
  ["no body is GET", null, {}, "", "GET /a"],
  ["a body is POST", "x", {}, "", "POST /a"],
  ["an answer without a body is no body", new Uint8Array(0), {}, "", "GET /a"],
  ["an empty text is one", "", {}, "", "POST /a"],
  ["a query is GET", "x", {}, "?q=1", "GET /a?q=1"],
  ["a query in a header is GET, and comes before the endpoint's", "x", { CamelHttpQuery: "h=2" }, "?q=1", "GET /a?h=2"],
  ["a raw query comes before a query", null, { CamelHttpQuery: "h=2", CamelHttpRawQuery: "r=%20" }, "", "GET /a?r=%20"],
  ["the header names the method", "x", { CamelHttpMethod: "put" }, "?q=1", "PUT /a?q=1"],
  ["the option comes before the header", "x", { CamelHttpMethod: "PUT" }, "?httpMethod=PATCH", "PATCH /a"],
  ["the path of a header is appended", null, { CamelHttpPath: "/b/c" }, "", "GET /a/b/c"],
  ["the path goes before the query", null, { CamelHttpPath: "b" }, "?q=1", "GET /a/b?q=1"],
  ["a path of one slash ends the URL with one", null, { CamelHttpPath: "/" }, "", "GET /a/"],
  [
    "no control header counts",
    "x",
    { CamelHttpPath: "/b", CamelHttpMethod: "PUT" },
    "?skipControlHeaders=true",
    "POST /a",
  ],
  ["what is unsafe in a URI is escaped", null, { CamelHttpPath: "x y{z}|%25%" }, "", "GET /a/x%20y%7Bz%7D%7C%25%25"],
  ["letters beyond ASCII are escaped", null, { CamelHttpPath: "é" }, "", "GET /a/%C3%A9"],
  [
    "a webhook's own target is not called",
    null,
    { CamelHttpUri: "/api/r?x=1", CamelHttpPath: "/api/r", CamelHttpQuery: "x=1" },
    "",
    "GET /a",
  ],
];

test("the method and the URL of a request", async (t) => {
  const server = await startHttpServer(t);
  for (const [what, body, headers, query, expected] of methods) {
    const { error } = await callTo(`${server.url}/a${query}`, { body, headers });
    assert.equal(error, undefined, what);
    const { method, url } = server.heard.at(-1) ?? {};
    assert.equal(`${method} ${url}`, expected, what);
  }
});

test("CamelHttpUri takes the endpoint's place, but not a bridge's; without a host it is no URL", async (t) => {
  const server = await startHttpServer(t);
  const other = await startHttpServer(t);
  const headers = { CamelHttpUri: `${other.url}/o?x=1` };
  await callTo(`${server.url}/a`, { headers, body: "x" });
  await callTo(`${server.url}/a?bridgeEndpoint=true`, { headers, body: "x" });
  assert.deepEqual(
    [server, other].map(({ heard }) => heard.map(({ method, url }) => `${method} ${url}`)),
    [["GET /a"], ["GET /o?x=1"]],
  );
  const { error } = await callTo(`${server.url}/a`, {
    headers: { CamelHttpUri: "/from/here", CamelHttpUrl: "http://me/from/here" },
  });
  assert.ok(error instanceof FlowException && error.type === "java.lang.IllegalArgumentException");
  assert.match(error.message, /^Invalid url: \/from\/here\. .*bridgeEndpoint/);
});

test("headers go out but Camel's, those of the body and the connection; a list is one value; line breaks become spaces", async (t) => {
  const server = await startHttpServer(t);
  const headers = {
    "X-One": 1,
    "X-List": ["a", "b"],
    "X-Single": ["a"],
    "X-Null": null,
    "X-Break": "a\r\nInjected: yes",
    "X-Umlaut": "grüß ✓",
    "no name": "x",
    Authorization: "Bearer abc",
    CamelFoo: "x",
    "org.apache.camel.x": "x",
    Host: "elsewhere",
    "Content-Length": "99",
    "Transfer-Encoding": "chunked",
    Expect: "100-continue",
    "Keep-Alive": "x",
    Via: "x",
  };
  assert.equal((await callTo(server.url, { headers })).error, undefined);
  const [heard] = server.heard;
  const { connection, "x-umlaut": umlaut, ...sent } = heard?.headers ?? {};
  assert.deepEqual(sent, {
    host: server.host,
    "x-one": "1",
    "x-list": "[a, b]",
    "x-single": "a",
    "x-break": "a  Injected: yes",
    authorization: "Bearer abc",
    "user-agent": "bulkhead",
    "accept-encoding": "gzip, deflate, br",
  });
  assert.equal(Buffer.from(String(umlaut), "latin1").toString(), "grüß ✓");
  assert.equal(connection, "keep-alive");
  await callTo(`${server.url}?skipRequestHeaders=true&userAgent=mine&connectionClose=true&customHostHeader=h.example`, {
    headers,
  });
  assert.deepEqual(server.heard[1]?.headers, {
    connection: "close",
    host: "h.example",
    "user-agent": "mine",
    "accept-encoding": "gzip, deflate, br",
  });
  await callTo(`${server.url}?preserveHostHeader=true`, { headers: { Host: "asked.example", "User-Agent": "theirs" } });
  const { host, "user-agent": agent } = server.heard[2]?.headers ?? {};
  assert.deepEqual([host, agent], ["asked.example", "theirs"]);
});

test("a bridge leaves out headers that came as query parameters, and hands a compressed answer on as it is", async (t) => {
  const packed = gzipSync("hello");
  const server = await startHttpServer(t, (_, response) => {
    response.setHeader("Content-Encoding", "gzip").end(packed);
  });
  const headers = { CamelHttpQuery: "q=1", q: "1", other: "2" };
  const outcome = await callTo(`${server.url}?bridgeEndpoint=true`, { headers });
  const { q, other, "accept-encoding": accepted } = server.heard[0]?.headers ?? {};
  assert.deepEqual([q, other, accepted], [undefined, "2", undefined]);
  assert.deepEqual(outcome.exchange.message.body, packed);
  assert.equal(headersOf(outcome)["Content-Encoding"], "gzip");
});

test("bodies: text in its character set, bytes, JSON as it came, forms; what is no text is refused", async (t) => {
  const server = await startHttpServer(t);
  const sent = async (body: unknown, headers = {}, query = "", properties = {}) => {
    const { error } = await callTo(`${server.url}?httpMethod=POST${query}`, { body, headers, properties });
    assert.equal(error, undefined);
    const { bytes, headers: heard } = server.heard.at(-1) as (typeof server.heard)[number];
    return [bytes.toString("latin1"), heard["content-type"], heard["content-length"]];
  };
  const utf8 = Buffer.from("é").toString("latin1");
  assert.deepEqual(await sent("é"), [utf8, undefined, "2"]);
  assert.deepEqual(await sent("é", { "Content-Type": "text/plain; charset=ISO-8859-1" }), [
    "é",
    "text/plain; charset=ISO-8859-1",
    "1",
  ]);
  const latin1 = { CamelCharsetName: "ISO-8859-1" };
  assert.deepEqual(await sent("é", { "Content-Type": "a/b" }, "", latin1), ["é", "a/b; charset=ISO-8859-1", "1"]);
  // Nothing says ISO-8859-1 then, so the text is UTF-8.
  assert.deepEqual(await sent("é", { "Content-Type": "a/b" }, "&contentTypeCharsetEnabled=false", latin1), [
    "Ã©",
    "a/b",
    "2",
  ]);
  assert.deepEqual(await sent(new Uint8Array([0, 255])), ["\0\u00ff", undefined, "2"]);
  assert.deepEqual(await sent(new JsonText('{ "a":1}', { a: 1 })), ['{ "a":1}', undefined, "8"]);
  assert.deepEqual((await sent(readForm("a=1&b=%26")))[0], "a=1&b=%26");
  assert.deepEqual((await sent(7))[0], "7");
  assert.deepEqual(await sent(null), ["", undefined, "0"]);
  const [packed] = await sent("hello", { "Content-Encoding": "gzip" });
  assert.equal(gunzipSync(Buffer.from(packed ?? "", "latin1")).toString(), "hello");
  const [form = "", type] = await sent("x", {}, "&multipartUpload=true&multipartUploadName=file");
  assert.match(String(type), /^multipart\/form-data; boundary=(\S+)$/);
  assert.match(
    form,
    /^--\S+\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: text\/plain; charset=UTF-8\r\n\r\nx\r\n--\S+--\r\n$/,
  );
  const { error } = await callTo(server.url, { body: new Date(0) });
  assert.equal((error as FlowException).type, "org.apache.camel.InvalidPayloadException");
});

test("GET and DELETE have a body only when asked for", async (t) => {
  const server = await startHttpServer(t);
  for (const [option, expected] of [
    ["", ""],
    ["&getWithBody=true&deleteWithBody=true", "x"],
  ] as const) {
    for (const method of ["GET", "DELETE"]) {
      const { error } = await callTo(`${server.url}?httpMethod=${method}${option}`, {
        body: "x",
        headers: { "Content-Type": "a/b" },
      });
      assert.equal(error, undefined);
      const { body, headers } = server.heard.at(-1) ?? {};
      assert.deepEqual([body, headers?.["content-type"]], [expected, expected === "" ? undefined : "a/b"]);
    }
  }
});

test("the answer's headers come first; the message's own stay but those of the protocol; Camel's never come from outside", async (t) => {
  const server = await startHttpServer(t, (_, response) => {
    response.sendDate = false;
    response.writeHead(201, "Made", [
      ["X-Both", "theirs"],
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
      ["X-List", "[p, q]"],
      ["CamelHttpPath", "/evil"],
      ["content-type", "text/plain; charset=iso-8859-1"],
      ["Content-Length", "1"],
    ]);
    response.end(Buffer.from([0xe9]));
  });
  const headers = {
    "x-both": "mine",
    Keep: "kept",
    Accept: "kept",
    Referer: "gone",
    "Content-Type": "gone",
    CamelHttpMethod: "POST",
  };
  const outcome = await callTo(server.url, { headers, body: "x" });
  assert.equal(outcome.exchange.message.body, "é");
  const { Connection, "Keep-Alive": alive, ...got } = headersOf(outcome);
  assert.ok(Connection !== "" && alive !== "");
  assert.deepEqual(got, {
    "x-both": "theirs",
    Keep: "kept",
    Accept: "kept",
    CamelHttpMethod: "POST",
    CamelHttpResponseCode: 201,
    CamelHttpResponseText: "Made",
    "Set-Cookie": ["a=1", "b=2"],
    "X-List": ["p", "q"],
    "Content-Type": "text/plain; charset=iso-8859-1",
    "Content-Length": "1",
  });
  assert.equal(outcome.exchange.properties.get("CamelCharsetName"), "ISO-8859-1");
  const alone = headersOf(await callTo(`${server.url}?copyHeaders=false`, { headers, body: "x" }));
  assert.deepEqual([alone["Keep"], alone["X-Both"]], [undefined, "theirs"]);
  const bare = headersOf(
    await callTo(`${server.url}?copyHeaders=false&skipResponseHeaders=true`, { headers, body: "x" }),
  );
  assert.deepEqual(bare, { CamelHttpResponseCode: 201, CamelHttpResponseText: "Made" });
});

test("bodies of answers: JSON as text that can be looked into, text, bytes, nothing", async (t) => {
  const server = await startHttpServer(t, ({ url }, response) => {
    const [status, type, text] = JSON.parse(decodeURIComponent(url.slice(1))) as [number, string, string];
    response.statusCode = status;
    if (type !== "") response.setHeader("Content-Type", type);
    response.end(Buffer.from(text, "latin1"));
  });
  const got = async (status: number, type: string, text: string, query = "") =>
    (await callTo(`${server.url}/${encodeURIComponent(JSON.stringify([status, type, text]))}${query}`)).exchange.message
      .body;
  const json = await got(200, "application/vnd.x+json", '{"a": [1]}');
  assert.ok(json instanceof JsonText);
  assert.deepEqual([json.text, json.value], ['{"a": [1]}', { a: [1] }]);
  assert.equal(await got(200, "application/json", "{broken"), "{broken");
  assert.equal(await got(200, "application/xml", "<a/>"), "<a/>");
  assert.equal(await got(200, "", "plain"), "plain");
  assert.deepEqual(await got(200, "image/png", "png"), Buffer.from("png"));
  assert.deepEqual(await got(200, "text/plain", "\xff"), Buffer.from([255]));
  assert.deepEqual(await got(200, "text/plain", ""), Buffer.alloc(0));
  assert.equal(await got(204, "", ""), null);
  assert.equal(await got(200, "text/plain", "x", "?httpMethod=HEAD"), null);
  assert.equal(await got(200, "text/plain", "x", "?ignoreResponseBody=true"), null);
});

test("a status out of range fails with what the server said, and the message is as it was but for the status", async (t) => {
  const server = await startHttpServer(t, ({ url }, response) => {
    response.writeHead(Number(url.slice(1, 4)), "Told", { Location: "/there", "X-A": "1" }).end("details");
  });
  const outcome = await callTo(`${server.url}/404?password=hunter2`, { body: "mine", headers: { h: "1" } });
  const error = outcome.error as FlowException;
  assert.equal(error.type, "org.apache.camel.http.base.HttpOperationFailedException");
  assert.match(
    error.message,
    /^HTTP operation failed invoking http:\/\/127\.0\.0\.1:\d+\/404\?password=\*\*\* with statusCode: 404$/,
  );
  const { responseHeaders, uri, ...details } = error.details;
  assert.equal((responseHeaders as Record<string, string>)["X-A"], "1");
  assert.ok(!String(uri).includes("hunter2"));
  assert.deepEqual(details, {
    statusCode: 404,
    statusText: "Told",
    redirectLocation: null,
    redirectError: false,
    responseBody: "details",
    httpResponseCode: 404,
    httpResponseStatus: "Told",
  });
  assert.equal(outcome.exchange.message.body, "mine");
  assert.deepEqual(headersOf(outcome), { h: "1", CamelHttpResponseCode: 404, CamelHttpResponseText: "Told" });
  const redirected = (await callTo(`${server.url}/302`)).error as FlowException;
  assert.match(redirected.message, /with statusCode: 302, redirectLocation: \/there$/);
  assert.equal(redirected.details["redirectLocation"], "/there");
  const stored = await callTo(`${server.url}/500?throwExceptionOnFailure=false`);
  assert.deepEqual(
    [stored.error, stored.exchange.message.body, headersOf(stored)["CamelHttpResponseCode"]],
    [undefined, "details", 500],
  );
  for (const [status, ranges, fails] of [
    [404, "200-204,404", false],
    [205, "200-204, 404", true],
    [200, "201", true],
  ] as const) {
    const { error: ranged } = await callTo(`${server.url}/${status}`, {}, { okStatusCodeRange: ranges });
    assert.equal(ranged !== undefined, fails, ranges);
  }
});

test("toD and a bare scheme reach servers, too", async (t) => {
  const server = await startHttpServer(t);
  const { runSteps } = await import("../../support/run-route.ts");
  const { loopback } = await import("./http-calls.ts");
  const dynamic = await runSteps(`- toD: "${server.url}/\${header.id}?q=\${body}&httpMethod=POST&other=1"`, {
    egress: loopback,
    body: "b",
    headers: { id: "7" },
  });
  assert.equal(dynamic.error, undefined);
  await callTo("http", {}, { httpUri: `${server.url}/bare?a=1`, b: "2 3" });
  await callTo(`https:${server.url}/inner`);
  assert.deepEqual(
    server.heard.map(({ method, url }) => `${method} ${url}`),
    ["POST /7?q=b&other=1", "GET /bare?a=1&b=2+3", "GET /inner"],
  );
});
