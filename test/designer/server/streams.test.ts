/** The one connection of a browser for all of its event streams: a hub as pages have it, a designer, and a real runtime. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { DesignerEvents } from "../../../designer/shared/wire.ts";
import { streamHub } from "../../../designer/web/src/api/streams/hub.ts";
import type { FromHub } from "../../../designer/web/src/api/streams/messages.ts";
import type { StreamSource } from "../../../designer/web/src/api/streams/sources.ts";
import type { LogEvent } from "../../../src/client/event-stream.ts";
import { eventually } from "../../support/clock.ts";
import { startTestApp, type TestApp, token } from "../../support/start-app.ts";
import { pageHeaders, startTestDesigner, type TestDesigner } from "./support/start-designer.ts";
import { usersFile } from "./support/users-file.ts";
import { startWire } from "./support/wire.ts";

const target = "default";

/** A flow that logs each body that it gets. */
function logging(id: string): string {
  return `- route:\n    id: ${id}\n    from:\n      uri: webhook\n      steps:\n        - log: { message: "\${body}" }\n`;
}

/** A browser: its hub, and as many pages as are wanted. */
function openBrowser(t: TestContext, origin: string, cookie?: string) {
  /** Its requests, without the names of connections. */
  const asked: string[] = [];
  const hub = streamHub({
    origin,
    fetch: async (request) => {
      for (const [name, value] of Object.entries(pageHeaders)) request.headers.set(name, value);
      if (cookie !== undefined) request.headers.set("Cookie", cookie);
      asked.push(`${request.method} ${request.url.slice(origin.length).replace(/streams\/.*/, "streams/...")}`);
      return fetch(request);
    },
  });
  const openPage = () => {
    const { port1, port2 } = new MessageChannel();
    const end = hub.attach(port2);
    t.after(() => {
      end();
      port1.close();
    });
    const seen = { texts: [] as string[], changes: 0, dropped: 0, connections: [] as string[], refusal: "" };
    let ids = 0;
    port1.onmessage = ({ data }: MessageEvent<FromHub>) => {
      if (data.kind === "connection") {
        seen.connections.push(data.connection.kind);
        if (data.connection.kind === "refused") seen.refusal = `${data.connection.status} ${data.connection.message}`;
      }
      if (data.kind !== "batch") return;
      for (const event of data.batch.events as readonly (LogEvent | DesignerEvents["flows"])[]) {
        if (!("message" in event)) seen.changes += 1;
        // The runtime's own lines about the flow are there, too.
        else if (event.stepId !== undefined) seen.texts.push(event.message);
      }
      seen.dropped += data.batch.dropped;
      port1.postMessage({ kind: "drawn", id: data.id });
    };
    const follow = (source: StreamSource): (() => void) => {
      ids += 1;
      const id = ids;
      port1.postMessage({ kind: "follow", id, source });
      return () => port1.postMessage({ kind: "leave", id });
    };
    return { seen, follow, close: end };
  };
  return { openPage, asked };
}

async function startAll(t: TestContext, flows: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const runtime = await startTestApp(t);
  const designer = await startTestDesigner(t, {
    env: { RUNTIME_URL: runtime.url, SERVICE_DEPLOY_TOKEN: token, ...env },
  });
  for (const id of flows) {
    const answer = await runtime.put(id, logging(id));
    assert.ok(answer.ok, await answer.text());
  }
  return { runtime, designer };
}

async function subscribers(runtime: TestApp): Promise<number> {
  const text = await (await runtime.api("/metrics")).text();
  return [...text.matchAll(/^bulkhead_stream_subscribers\{stream="\w+"\} (\d+)$/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}

async function logIn({ call }: TestDesigner, user: string): Promise<string> {
  const answer = await call("POST", "/designer/login", { user, password: `password of ${user}` });
  return answer.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
}

test("pages that follow the logs of many flows and the workspace have one connection, which ends with the last of them", async (t) => {
  const flows = Array.from({ length: 4 }, (_, n) => `flow-${n}`);
  const { runtime, designer } = await startAll(t, flows);
  const { openPage, asked } = openBrowser(t, designer.url);
  const pages = flows.map((flowId) => {
    const page = openPage();
    page.follow({ kind: "workspace" });
    page.follow({ kind: "log", target, flowId });
    return page;
  });
  await eventually(
    () => pages.every(({ seen }) => seen.connections.filter((kind) => kind === "open").length === 2),
    "all are open",
  );
  assert.equal(await subscribers(runtime), flows.length);
  assert.equal(asked.filter((one) => one === "GET /designer/streams").length, 1);
  assert.equal(asked.filter((one) => one.startsWith("PUT")).length, flows.length + 1);
  await writeFile(join(designer.workspace, "new.yaml"), logging("new"));
  for (const id of flows) await runtime.post(`/api/${id}`, `of ${id}`);
  await eventually(
    () => pages.every(({ seen }, n) => seen.texts.join() === `of flow-${n}` && seen.changes > 0),
    "each page has its line, and the change of the workspace",
  );
  for (const page of pages.slice(1)) page.close();
  await eventually(async () => (await subscribers(runtime)) === 1, "streams that nobody follows are closed");
  pages[0]?.close();
  await eventually(async () => (await subscribers(runtime)) === 0, "the last one is closed");
});

test("a connection that is lost is opened anew: nothing is missing, and nothing comes twice", async (t) => {
  const { runtime, designer } = await startAll(t, ["one", "two"]);
  const wire = await startWire(t, designer.url);
  const { openPage, asked } = openBrowser(t, wire.url);
  const page = openPage();
  for (const flowId of ["one", "two"]) page.follow({ kind: "log", target, flowId });
  await eventually(() => page.seen.connections.filter((kind) => kind === "open").length === 2, "both are open");
  await runtime.post("/api/one", "1");
  await eventually(() => page.seen.texts.length === 1, "the first line has come");
  wire.cut();
  await eventually(() => page.seen.connections.includes("lost"), "the loss is reported");
  for (const [id, text] of [
    ["one", "2"],
    ["two", "3"],
    ["one", "4"],
  ] as const)
    await runtime.post(`/api/${id}`, text);
  await eventually(() => page.seen.connections.filter((kind) => kind === "open").length === 4, "both are open again");
  await runtime.post("/api/two", "5");
  await eventually(() => page.seen.texts.includes("5"), "the last line has come");
  assert.deepEqual(page.seen.texts.toSorted(), ["1", "2", "3", "4", "5"]);
  assert.equal(page.seen.dropped, 0);
  assert.equal(asked.filter((one) => one === "GET /designer/streams").length, 2);
});

test("a logout ends what is followed; a stream is refused without a login, and is not another person's to end", async (t) => {
  const { runtime, designer } = await startAll(t, ["one"], { DESIGNER_USERS: await usersFile(t) });
  const [viewer, editor] = [await logIn(designer, "viewer"), await logIn(designer, "editor")];
  const page = openBrowser(t, designer.url, viewer).openPage();
  page.follow({ kind: "log", target, flowId: "one" });
  await eventually(() => page.seen.connections.at(-1) === "open", "it is open");

  const stream = await designer.call("GET", "/designer/streams", undefined, { Cookie: editor });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  const [, id] = /"id":"([^"]+)"/.exec(Buffer.from(value ?? []).toString()) ?? [];
  const carry = (cookie: string, path: string) =>
    designer.call("PUT", `/designer/streams/${id}/x`, { path }, { Cookie: cookie });
  assert.equal((await carry(viewer, "/designer/events")).status, 410);
  for (const path of ["/targets/default/_api/flows", "/targets/none/_api/logs/stream", "/designer/flows", "/"])
    assert.equal((await carry(editor, path)).status, 404, path);
  assert.equal((await carry(editor, "/targets/default/_api/../x")).status, 400);
  assert.equal((await carry(editor, "/designer/events")).status, 204);
  assert.equal((await carry(editor, "/designer/events")).status, 409);
  await reader.cancel();

  await designer.call("POST", "/designer/logout", {}, { Cookie: viewer });
  await eventually(async () => (await subscribers(runtime)) === 0, "the runtime's stream is closed");
  await eventually(() => page.seen.connections.at(-1) === "refused", "the stream is refused");
});

test("a stream that there is not is refused, with the reason", async (t) => {
  const { designer } = await startAll(t, []);
  const { openPage } = openBrowser(t, designer.url);
  const page = openPage();
  page.follow({ kind: "log", target: "none", flowId: "one" });
  await eventually(() => page.seen.connections.at(-1) === "refused", "it is refused");
  assert.match(page.seen.refusal, /^404 there is no event stream '\/targets\/none\/_api\/logs\/stream/);
});
