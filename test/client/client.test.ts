/** The client against a runtime: calls, refusals, numbers, texts, and what answers in place of a runtime. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { ApiError, type BulkheadClient, createClient, orThrow, UnreachableError } from "../../src/client/index.ts";
import { onNextTurn } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { startTestApp, token } from "../support/start-app.ts";

async function open(t: TestContext): Promise<BulkheadClient> {
  const { url } = await startTestApp(t);
  return createClient({ url, token });
}

/** Something that listens in place of a runtime. */
async function standIn(t: TestContext, listener: RequestListener): Promise<BulkheadClient> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}//`, token: "a" });
}

const path = { id: "greet" };

test("a call returns its document, and a refusal is a value with the code of the API", async (t) => {
  const bulkhead = await open(t);
  const put = await bulkhead.PUT("/_api/flows/{id}", { params: { path }, body: { yaml: answering("greet", "hi") } });
  assert.equal(put.response.status, 201);
  assert.deepEqual([put.data?.revision, put.error], [1, undefined]);
  const { data, error } = await bulkhead.GET("/_api/flows/{id}", { params: { path: { id: "nobody" } } });
  assert.equal(data, undefined);
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.status, error.code, error.message], [404, "not_found", "there is no flow 'nobody'"]);
  await assert.rejects(orThrow(bulkhead.GET("/_api/flows/{id}", { params: { path: { id: "nobody" } } })), error);
  const listed = await orThrow(bulkhead.GET("/_api/flows", { params: { query: { usage: true } } }));
  assert.deepEqual(
    listed.map(({ id, usage }) => [id, usage?.inflight]),
    [["greet", 0]],
  );
});

test("a wrong token and an id with a slash reach the runtime as they are", async (t) => {
  const bulkhead = await open(t);
  const strange = await bulkhead.GET("/_api/flows/{id}", { params: { path: { id: "a/b" } } });
  assert.equal(strange.error?.code, "bad_target");
  const { error } = await createClient({ url: bulkhead.url, token: "wrong" }).GET("/_api/flows");
  assert.deepEqual([error?.status, error?.code], [401, "unauthorized"]);
  assert.equal((await createClient({ url: bulkhead.url }).GET("/_api/health")).data?.status, "UP");
});

test("texts are sent as they are, with the type that their endpoint takes; a text that is asked for comes as it is", async (t) => {
  const bulkhead = await open(t);
  const yaml = answering("greet", "hi");
  assert.equal((await bulkhead.PUT("/_api/flows/{id}", { params: { path }, body: yaml })).response.status, 201);
  const sent = { params: { path: { id: "codes" } }, body: "from,to\nDE,Germany\n" };
  assert.equal((await bulkhead.PUT("/_api/value-mappings/{id}", sent)).data?.rows, 1);
  const headers = { "Content-Type": "application/json" };
  const json = await bulkhead.PUT("/_api/value-mappings/{id}", {
    ...sent,
    headers,
    body: '{"entries": {"FR": "France"}}',
  });
  assert.equal(json.data?.rows, 1);
  const wanted = { params: { path }, headers: { Accept: "application/yaml" }, parseAs: "text" } as const;
  const { data, response } = await bulkhead.GET("/_api/flows/{id}", wanted);
  assert.equal(data, yaml);
  const tag = response.headers.get("etag") ?? "";
  const again = await bulkhead.GET("/_api/flows/{id}", {
    ...wanted,
    headers: { ...wanted.headers, "If-None-Match": tag },
  });
  assert.deepEqual([again.error?.status, again.error?.code], [304, "not_modified"]);
  assert.match(await orThrow(bulkhead.GET("/_api/metrics")), /^# HELP/m);
});

test("whole numbers beyond 2^53 keep their digits in both directions", async (t) => {
  const bulkhead = await open(t);
  const yaml = "- route: { id: echo, from: { uri: 'direct:echo', steps: [{ setBody: { simple: '${body}' } }] } }";
  await orThrow(bulkhead.PUT("/_api/flows/{id}", { params: { path: { id: "echo" } }, body: yaml }));
  const session = await orThrow(bulkhead.POST("/_api/test/session", { body: { flowId: "echo", scope: "session" } }));
  const body = { id: 9007199254740993n, list: [-12345678901234567890n], small: 1, decimal: 1234567890123456.5 };
  const answer = await orThrow(
    bulkhead.POST("/_api/test/invoke", { body: { sessionId: session.sessionId, endpoint: "direct:echo", body } }),
  );
  assert.deepEqual(answer.body, body);
});

test("a runtime that does not answer, or something else that does, is an UnreachableError", async (t) => {
  const nobody = createClient({ url: "http://127.0.0.1:9" });
  await assert.rejects(nobody.GET("/_api/flows"), (error: Error) => {
    assert.ok(error instanceof UnreachableError);
    assert.match(error.message, /^http:\/\/127\.0\.0\.1:9 does not answer: /);
    assert.ok(error.cause instanceof Error);
    return true;
  });
  const page = await standIn(t, (_, res) => res.setHeader("Content-Type", "text/html").end("<html>"));
  await assert.rejects(page.GET("/_api/flows"), { name: "UnreachableError", message: /answers a web page: is it the/ });
  const torn = await standIn(t, (_, res) => res.setHeader("Content-Type", "application/json").end("[{"));
  await assert.rejects(torn.GET("/_api/flows"), { name: "UnreachableError", message: /JSON that cannot be read/ });
  const cut = await standIn(t, (_, res) => {
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" }).write("[{");
    onNextTurn(() => res.destroy());
  });
  await assert.rejects(cut.GET("/_api/flows"), { name: "UnreachableError", message: /has broken off its answer/ });
  await assert.rejects(page.GET("/_api/flows", { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("an answer without an end, and one that does not come, end the call", async (t) => {
  const endless = await standIn(t, (req, res) => {
    res.writeHead(req.url?.endsWith("/limits") === true ? 500 : 200, { "Content-Type": "application/json" });
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(1024 * 1024, 0x20)));
    };
    res.on("drain", more);
    more();
  });
  const tooLong = { name: "UnreachableError", message: /answers more than 64 MiB.*is it the runtime/ };
  await assert.rejects(endless.GET("/_api/flows"), tooLong);
  await assert.rejects(endless.GET("/_api/limits"), tooLong);
  const silent = await standIn(t, () => {});
  const half = await standIn(t, (_, res) => res.writeHead(200, { "Content-Type": "application/json" }).write("["));
  for (const { url } of [silent, half]) {
    const { GET } = createClient({ url, idleMs: 50 });
    const late = { name: "UnreachableError", message: /has sent nothing for 0\.05 s/ };
    await assert.rejects(GET("/_api/flows"), late);
    await assert.rejects(async () => {
      const { data } = await GET("/_api/backup", { parseAs: "stream" });
      for await (const _ of data as unknown as AsyncIterable<Uint8Array>);
    }, late);
  }
});

test("a refusal of a proxy and a redirect have the code unknown, and the token follows no redirect", async (t) => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await standIn(t, (req, res) => {
    seen.push(req.headers.authorization);
    res.end("[]");
  });
  const moved = await standIn(t, (_, res) => res.writeHead(302, { Location: `${elsewhere.url}/` }).end());
  assert.deepEqual([(await moved.GET("/_api/flows")).error?.code, seen], ["unknown", []]);
  const proxy = await standIn(t, (_, res) => res.writeHead(502).end("bad gateway"));
  const { error } = await proxy.GET("/_api/flows");
  assert.deepEqual([error?.status, error?.code, error?.message], [502, "unknown", "502 bad gateway"]);
  await elsewhere.fetch("/api/x");
  assert.deepEqual(seen, [undefined]);
});

test("a URL that is no address of a runtime is refused at once", () => {
  for (const url of ["", "127.0.0.1:8080", "ftp://a", "http://user:secret@a", "http://a?b", "http://a b"])
    assert.throws(() => createClient({ url }), { name: "TypeError" }, url);
});
