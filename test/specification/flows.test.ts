/** The specification's flows: what PUT, GET and DELETE do, through a real socket. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually, quiet } from "../support/clock.ts";
import { answering, direct, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { errorOf } from "./answers.ts";

const ticking = (id: string, period: number): string =>
  `- route:\n    id: ${id}\n    from:\n      uri: timer:${id}?period=${period}&delay=0\n      steps:\n        - log: "tick"\n`;

async function runsOf(app: TestApp, routeId: string): Promise<{ startedAt: string }[]> {
  return (await (await app.api(`/runs?routeId=${routeId}&limit=500`)).json()) as { startedAt: string }[];
}

test("a flow is one YAML document with one or more routes, each with an id, a trigger and steps", async (t) => {
  const app = await startTestApp(t);
  const yaml = `${webhook("order-in", 'log: "in"', "to: direct:store")}${direct("store", "store", 'setBody: { constant: "stored" }')}${ticking("clock", 60_000)}`;
  const put = await app.put("orders", yaml);
  assert.ok(put.ok);
  const { routeCount, routes } = (await put.json()) as { routeCount: number; routes: { id: string; uri: string }[] };
  assert.equal(routeCount, 3);
  assert.deepEqual(
    routes.map(({ id, uri }) => [id, uri.split(/[:?]/)[0]]),
    [
      ["order-in", "webhook"],
      ["store", "direct"],
      ["clock", "timer"],
    ],
  );
  assert.equal(await (await app.post("/api/order-in")).text(), "stored");
});

test("PUT installs a flow under its id and writes its YAML, unchanged, into the routes directory", async (t) => {
  const app = await startTestApp(t);
  const yaml = `# kept as sent\r\n${answering("r", "one")}`;
  assert.ok((await app.put("my-flow", yaml)).ok);
  assert.deepEqual(await readdir(app.routesDirectory), ["my-flow.yaml"]);
  assert.equal(await readFile(join(app.routesDirectory, "my-flow.yaml"), "utf8"), yaml);
});

test("a flow runs after its PUT, and after another PUT its replacement does", async (t) => {
  const app = await startTestApp(t);
  assert.ok((await app.put("f", answering("r", "one"))).ok);
  assert.equal(await (await app.post("/api/r")).text(), "one");
  assert.ok((await app.put("f", answering("r", "two"))).ok);
  assert.equal(await (await app.post("/api/r")).text(), "two");
  assert.equal(((await (await app.api("/flows")).json()) as unknown[]).length, 1);
});

test("yaml is required on PUT and is a string", async (t) => {
  const app = await startTestApp(t);
  const put = (body: string): Promise<Response> =>
    app.api("/flows/f", { method: "PUT", headers: { "Content-Type": "application/json" }, body });
  for (const body of ["{}", '{"params":{}}', '{"yaml":null}', '{"yaml":1}', '{"yaml":["- route"]}'])
    assert.match(await errorOf(await put(body), 400), /yaml/, body);
  await errorOf(await put("{"), 400);
  assert.deepEqual(await (await app.api("/flows")).json(), []);
});

test("params are optional on PUT and fill the flow's placeholders", async (t) => {
  const app = await startTestApp(t);
  const yaml = answering("r", "hello {{who:nobody}}");
  assert.ok((await app.put("f", yaml)).ok);
  assert.equal(await (await app.post("/api/r")).text(), "hello nobody");
  assert.ok((await app.put("f", yaml, { params: { who: "you" } })).ok);
  assert.equal(await (await app.post("/api/r")).text(), "hello you");
});

test("GET lists the YAML files of the routes directory with lastModified, hash and routeCount", async (t) => {
  const broken = "- route: [";
  const app = await startTestApp(t, { files: { "by-hand.yaml": answering("a", "x"), "broken.yaml": broken } });
  const yaml = `${answering("b", "x")}${answering("c", "x")}`;
  await app.put("put", yaml);
  const answer = await app.api("/flows");
  assert.equal(answer.status, 200);
  const list = (await answer.json()) as { id: string; lastModified: string; hash: string; routeCount: number }[];
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  assert.deepEqual(
    list.map(({ id, hash, routeCount }) => ({ id, hash, routeCount })),
    [
      { id: "broken", hash: sha256(broken), routeCount: 0 },
      { id: "by-hand", hash: sha256(answering("a", "x")), routeCount: 1 },
      { id: "put", hash: sha256(yaml), routeCount: 2 },
    ],
  );
  for (const { lastModified } of list) assert.equal(new Date(lastModified).toISOString(), lastModified);
});

test("a PUT that claims a path under /_api is rejected, and nothing of it stays", async (t) => {
  const app = await startTestApp(t);
  const route = (uri: string): string =>
    `- route:\n    id: r\n    from:\n      uri: "${uri}"\n      steps:\n        - log: "x"\n`;
  for (const yaml of [
    route("platform-http:/_api"),
    route("platform-http:/_api/flows"),
    route("platform-http:_API/flows"),
    route("platform-http:/%5f%61pi/flows"),
    route("platform-http:/x/../_api/flows"),
    route("platform-http://_api//flows"),
    route("platform-http:/{anything}/flows"),
    route("platform-http:/*"),
    route("webhook:/_api/flows"),
    '- rest:\n    path: /_api\n    get:\n      - path: /flows\n        to: "direct:x"\n',
    `${answering("good", "x")}${route("platform-http:/_api/flows")}`,
    answering("../_api/flows", "x"),
  ]) {
    const message = await errorOf(await app.put("f", yaml), 422);
    if (!yaml.includes("..")) assert.match(message, /_api/, yaml);
  }
  assert.deepEqual(await readdir(app.routesDirectory), []);
  assert.deepEqual(await (await app.api("/flows")).json(), []);
  assert.equal((await app.post("/api/good")).status, 404);
});

test("DELETE stops and removes the flow's routes and deletes its YAML", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", `${answering("r", "x")}${ticking("clock", 10)}`);
  await app.put("other", answering("stays", "here"));
  await eventually(async () => (await runsOf(app, "clock")).length > 0, "a tick");
  assert.ok((await app.api("/flows/f", { method: "DELETE" })).ok);
  const ticks = (await runsOf(app, "clock")).length;

  assert.equal((await app.post("/api/r")).status, 404);
  assert.deepEqual(await readdir(app.routesDirectory), ["other.yaml"]);
  const list = (await (await app.api("/flows")).json()) as { id: string }[];
  assert.deepEqual(
    list.map(({ id }) => id),
    ["other"],
  );
  const { routes } = (await (await fetch(`${app.url}/_api/health`)).json()) as { routes: { id: string }[] };
  assert.deepEqual(
    routes.map(({ id }) => id),
    ["stays"],
  );
  assert.equal(await (await app.post("/api/stays")).text(), "here");
  await quiet(60);
  assert.equal((await runsOf(app, "clock")).length, ticks);
  await errorOf(await app.api("/flows/f", { method: "DELETE" }), 404);
});

test("a timer flow runs on its period after the PUT", async (t) => {
  const app = await startTestApp(t);
  const period = 120;
  await app.put("f", ticking("clock", period));
  const runs = await eventually(async () => {
    const found = await runsOf(app, "clock");
    return found.length >= 4 ? found.toReversed() : undefined;
  }, "four ticks");
  // A tick may be late on a busy machine, never early; two milliseconds are the clocks' rounding.
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  for (let i = 1; i < 4; i++)
    assert.ok((starts[i] ?? 0) - (starts[i - 1] ?? 0) >= period - 2, `ticks at ${starts.join(", ")}`);
});
