/** The runtime's API through the designer: a real runtime behind it, whose token no browser gets. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { operations, refusedOperations } from "../../../designer/server/proxy/table.ts";
import { after, eventually } from "../../support/clock.ts";
import { startTestApp, type TestApp, token } from "../../support/start-app.ts";
import { pageHeaders, startTestDesigner } from "./support/start-designer.ts";

const yaml =
  "- route:\n    id: hello\n    from:\n      uri: webhook\n      steps:\n        - setBody: { constant: hi }\n";

function runtimeOf({ url }: Pick<TestApp, "url">, deployToken = token): Readonly<Record<string, string>> {
  return { RUNTIME_URL: url, SERVICE_DEPLOY_TOKEN: deployToken };
}

test("every operation of the OpenAPI document is passed on with a least role, or refused with a reason", async (t) => {
  const runtime = await startTestApp(t);
  const { json } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  const { paths } = await json<{ paths: Record<string, Record<string, unknown>> }>(
    "GET",
    "/targets/default/_api/openapi.json",
  );
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    ["get", "put", "post", "delete", "patch"]
      .filter((method) => item[method] !== undefined)
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const known = [...operations, ...refusedOperations].map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(known.toSorted(), documented.toSorted());
  for (const { why } of refusedOperations) assert.ok(why.length > 20);
});

test("a flow is deployed, read, refused by If-Match and rolled back through the designer", async (t) => {
  const runtime = await startTestApp(t);
  const { call, json } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  const made = await call("PUT", "/targets/default/_api/flows/hello?dryRun=false", { yaml });
  assert.equal(made.status, 201);
  const flow = await call("GET", "/targets/default/_api/flows/hello");
  const etag = flow.headers.get("etag") ?? "";
  assert.match(etag, /^"[0-9a-f]{64}\.1"$/);
  const stale = await call(
    "PUT",
    "/targets/default/_api/flows/hello",
    { yaml: `${yaml}# new\n` },
    { "If-Match": '"0"' },
  );
  assert.deepEqual([stale.status, stale.headers.get("x-error-code")], [412, "precondition_failed"]);
  const fresh = await call(
    "PUT",
    "/targets/default/_api/flows/hello",
    { yaml: `${yaml}# new\n` },
    { "If-Match": etag },
  );
  assert.equal(fresh.status, 200);
  await json("POST", "/targets/default/_api/flows/hello/rollback", { revision: 1 });
  const list = await json<{ revision: number }[]>("GET", "/targets/default/_api/flows");
  assert.equal(list[0]?.revision, 3);
  const plain = await call("PUT", "/targets/default/_api/flows/hello", yaml, { "Content-Type": "application/yaml" });
  assert.equal(plain.status, 200);
});

test("neither the browser's credentials nor the runtime's token cross the designer", async (t) => {
  let seen: Readonly<Record<string, unknown>> = {};
  const runtime = await startFake(t, (request, response) => {
    seen = request.headers;
    response.writeHead(200, { "Content-Type": "application/json", "Set-Cookie": "a=b", "WWW-Authenticate": "Bearer" });
    response.end("[]");
  });
  const { call } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  const answer = await call("GET", "/targets/default/_api/flows", undefined, {
    ...{ Authorization: "Bearer mine", Cookie: "session=1", "X-Forwarded-For": "1.2.3.4", "X-Test-Session": "x" },
    ...{ "If-None-Match": '"v"', "Last-Event-ID": "k-1" },
  });
  assert.equal(await answer.text(), "[]");
  assert.equal(answer.headers.get("set-cookie"), null);
  assert.equal(answer.headers.get("www-authenticate"), null);
  assert.equal(seen["authorization"], `Bearer ${token}`);
  const names = Object.keys(seen).filter((name) => !["host", "connection", "accept", "authorization"].includes(name));
  assert.deepEqual(names.toSorted(), ["if-none-match", "last-event-id", "x-request-id"]);
  assert.match(String(seen["x-request-id"]), /^designer-local-[0-9a-f]{12}$/);
  assert.ok(![...answer.headers].flat().some((value) => value.includes(token)));
});

test("a runtime that does not answer, or does not take the token, is reported in a sentence", async (t) => {
  const runtime = await startTestApp(t);
  const wrong = await startTestDesigner(t, { env: runtimeOf(runtime, "another-token") });
  const refused = await wrong.call("GET", "/targets/default/_api/flows");
  assert.equal(refused.status, 502);
  const { error } = (await refused.json()) as { error: string };
  assert.match(error, /does not take the designer's token: SERVICE_DEPLOY_TOKEN must be/);
  assert.ok(!error.includes("another-token"));
  const gone = await startTestDesigner(t, { env: runtimeOf({ url: "http://127.0.0.1:9" }) });
  const answer = await gone.call("GET", "/targets/default/_api/flows");
  assert.equal(answer.status, 502);
  assert.match(await answer.text(), /http:\/\/127\.0\.0\.1:9 does not answer \(ECONNREFUSED\)/);
  assert.equal((await gone.call("GET", "/targets/prod/_api/flows")).status, 404);
});

test("paths that are not listed, or could be read in two ways, reach no runtime", async (t) => {
  const asked: (string | undefined)[] = [];
  const runtime = await startFake(t, (request, response) => {
    asked.push(request.url);
    response.end("{}");
  });
  const { url } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  const paths = [
    "/_api/backup",
    "/_api/unknown",
    "/_api/flows/",
    "/_api/flows/a/b/c",
    "/api/hello",
    "/_api/flows/a%2fb",
    "/_api/flows/..%2fbackup",
  ];
  const odd = [
    "/_api/flows/%2e%2e",
    "/_api/flows/../backup",
    "/_api//backup",
    "/_api/flows/a%5cb",
    "/_api/flows/a%00",
    "/_api/flows/a%25",
    "/_api/./flows",
  ];
  for (const path of [...paths, ...odd]) {
    const status = await rawGet(url, `/targets/default${path}`);
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
  }
  assert.deepEqual(asked, []);
  assert.equal(await rawGet(url, "/targets/default/_api/flows/a/state/my%3Aname?prefix=a%2Fb"), 200);
  assert.deepEqual(asked, ["/_api/flows/a/state/my%3Aname?prefix=a%2Fb"]);
});

test("an event stream is passed on as it comes, resumed, and closed at the runtime when the page goes away", async (t) => {
  const runtime = await startTestApp(t);
  const { call, url } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  await call("PUT", "/targets/default/_api/flows/hello", { yaml });
  const leave = new AbortController();
  const stream = await fetch(`${url}/targets/default/_api/trace/stream`, {
    headers: pageHeaders,
    signal: leave.signal,
  });
  assert.equal(stream.headers.get("content-type"), "text/event-stream");
  assert.equal(stream.headers.get("content-encoding"), null);
  const heard = await listen(stream);
  await eventually(() => heard.text().includes("event: ready"), "the stream is open");
  assert.equal(await subscribers(runtime), 1);
  await runtime.post("/api/hello");
  await eventually(() => heard.text().includes("run.completed"), "the run is seen");
  const [first] = /^id: (.+)$/m.exec(heard.text())?.slice(1) ?? [];
  leave.abort();
  await eventually(async () => (await subscribers(runtime)) === 0, "the runtime's stream is closed");

  const again = new AbortController();
  const resumed = await fetch(`${url}/targets/default/_api/trace/stream`, {
    headers: { ...pageHeaders, "Last-Event-ID": first ?? "" },
    signal: again.signal,
  });
  const missed = await listen(resumed);
  await eventually(() => missed.text().includes("run.completed"), "what was missed comes");
  again.abort();
});

test("a stream that the runtime breaks off ends at the page", async (t) => {
  const runtime = await startFake(t, (_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("event: ready\ndata: {}\n\n");
    after(50, () => response.destroy());
  });
  const { url } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  const stream = await fetch(`${url}/targets/default/_api/logs/stream`, { headers: pageHeaders });
  const heard = await listen(stream);
  await heard.ended;
  assert.match(heard.text(), /event: ready/);
});

test("a body is bounded, declared or streamed, and what the runtime refuses is passed on", async (t) => {
  const runtime = await startTestApp(t);
  const { call, url } = await startTestDesigner(t, { env: runtimeOf(runtime) });
  const large = "x".repeat(5 * 1024 * 1024);
  assert.equal((await call("POST", "/targets/default/_api/flows/a/validate", { yaml: large })).status, 413);
  const streamed = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 5; i++) controller.enqueue(new TextEncoder().encode("x".repeat(1024 * 1024)));
      controller.close();
    },
  });
  const answer = await fetch(`${url}/targets/default/_api/flows/a/validate`, {
    ...{
      method: "POST",
      headers: { ...pageHeaders, "Content-Type": "application/json" },
      body: streamed,
      duplex: "half",
    },
  } as RequestInit);
  assert.equal(answer.status, 413);
  const invalid = await call("PUT", "/targets/default/_api/flows/a", { yaml: "- route: [" });
  assert.deepEqual([invalid.status, invalid.headers.get("x-error-code")], [422, "flow_invalid"]);
});

test("several targets from a file, each with its own token", async (t) => {
  const { writeFile, mkdtemp, rm } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const { tmpdir } = await import("node:os");
  const seen: string[] = [];
  const fake = (name: string) =>
    startFake(t, (request, response) => {
      seen.push(`${name} ${request.headers.authorization}`);
      response.end("[]");
    });
  const [dev, prod] = [await fake("dev"), await fake("prod")];
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-targets-"));
  t.after(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "prod.token"), "of-prod\n");
  const file = join(directory, "targets.yaml");
  await writeFile(
    file,
    `targets:\n  - { name: dev, label: Test, url: ${dev.url}, tokenEnv: DEV }\n  - { name: prod, url: ${prod.url}/, tokenFile: prod.token }\n`,
  );
  const { json, call } = await startTestDesigner(t, { env: { DESIGNER_TARGETS: file, DEV: "of-dev" } });
  const { targets } = await json<{ targets: unknown }>("GET", "/designer/session");
  assert.deepEqual(targets, [
    { name: "dev", label: "Test", url: dev.url },
    { name: "prod", label: "prod", url: prod.url },
  ]);
  for (const name of ["dev", "prod"]) await call("GET", `/targets/${name}/_api/flows`);
  assert.deepEqual(seen, ["dev Bearer of-dev", "prod Bearer of-prod"]);
});

async function startFake(
  t: TestContext,
  listener: Parameters<typeof createServer>[1],
): Promise<{ readonly url: string }> {
  const server = createServer(listener as never).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** `fetch` would bring a path into normal form. */
async function rawGet(url: string, path: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path, headers: pageHeaders }).end();
  const [response] = await once(request, "response");
  response.resume();
  return response.statusCode;
}

async function listen({ body }: Response) {
  let text = "";
  const ended = (async () => {
    try {
      for await (const part of body ?? []) text += Buffer.from(part as Uint8Array).toString();
    } catch {
      // Left, or broken off.
    }
  })();
  return { text: () => text, ended };
}

async function subscribers(runtime: TestApp): Promise<number> {
  const text = await (await runtime.api("/metrics")).text();
  return Number(/^bulkhead_stream_subscribers\{stream="trace"\} (\d+)$/m.exec(text)?.[1]);
}
