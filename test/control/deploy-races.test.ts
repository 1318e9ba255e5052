/** Changes of flows that meet traffic, the boot load, the shutdown and each other. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, unlink } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { type FsPort, nodeFs } from "../../src/control/stores/fs-port.ts";
import { Expected } from "../storms/support/expected.ts";
import { steadyLoad } from "../storms/support/steady-load.ts";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { heldStep } from "../support/held-step.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly revision: number;
}

async function list(app: TestApp): Promise<readonly Listed[]> {
  return (await (await app.api("/flows")).json()) as Listed[];
}

/** Sends them at once on one connection, where their order is certain; gives the statuses. */
async function pipelined(app: TestApp, requests: readonly string[]): Promise<readonly number[]> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.write(requests.join(""));
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    if (statuses.length === requests.length) return statuses;
  }
  throw new Error(`the connection ended: ${text}`);
}

const version = (n: number): string => webhook("r", "delay: { constant: 5 }", `setBody: { constant: "${n}" }`);

/** Calls `/api/r` from several callers until it is told to stop; gives the statuses, in the order of the calls. */
function load(app: TestApp, callers = 6): { stop(): Promise<readonly number[]>; seen: number[] } {
  let done = false;
  const seen: number[] = [];
  const all = Promise.all(
    Array.from({ length: callers }, async () => {
      while (!done) {
        const answer = await app.post("/api/r", "x");
        await answer.text();
        seen.push(answer.status);
      }
    }),
  );
  return {
    seen,
    async stop() {
      done = true;
      await all;
      return seen;
    },
  };
}

test("a DELETE under calls lets those under way finish; later ones find nothing", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", version(1));
  const calls = load(app);
  await eventually(() => calls.seen.length > 20, "calls");
  assert.equal((await app.api("/flows/f", { method: "DELETE" })).status, 200);
  assert.equal((await app.post("/api/r", "x")).status, 404);
  await eventually(() => calls.seen.filter((status) => status === 404).length > 20, "refusals");
  assert.deepEqual([...new Set(await calls.stop())], [200, 404]);
});

test("replacements under calls: none fails, and none is answered by a version that has been replaced", async (t) => {
  const app = await startTestApp(t);
  const answer = (n: number): string => webhook("r", "delay: { constant: 20 }", `setBody: { constant: "v${n}" }`);
  await app.put("f", answer(0));
  await app.put("other", answering("other", "x"));
  const expected = new Expected("200 v0");
  const port = Number(new URL(app.url).port);
  const calls = steadyLoad({ port, path: "/api/r", connections: 4, expected });
  for (let n = 1; n <= 12; n++) {
    expected.mayBecome(`200 v${n}`);
    assert.equal((await app.put("f", answer(n))).status, 200);
    expected.become(`200 v${n}`);
    if (n % 3 === 0) {
      assert.equal((await app.put("f", "- route: [")).status, 422);
      assert.equal((await app.put("f", answer(n + 1) + answering("other", "y"))).status, 409);
    }
    const { answered } = calls.counts;
    if (n % 4 !== 0) await eventually(() => calls.counts.answered > answered + 4, "calls");
  }
  const { broken, unexpected, backwards, closed, examples } = await calls.stop();
  assert.deepEqual([broken, unexpected, backwards, closed], [0, 0, 0, 0], examples.join("; "));
});

test("a stop under calls lets those under way finish; a start serves again", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", version(1));
  const calls = load(app);
  for (let i = 0; i < 3; i++) {
    await eventually(() => calls.seen.at(-1) === 200, "calls");
    assert.equal((await app.api("/flows/f/stop", { method: "POST" })).status, 200);
    await eventually(() => calls.seen.at(-1) === 503, "refusals");
    assert.equal((await app.api("/flows/f/start", { method: "POST" })).status, 200);
  }
  assert.deepEqual([...new Set(await calls.stop())].sort(), [200, 503]);
});

test("calls that wake an idle flow survive its replacement", async (t) => {
  const app = await startTestApp(t, { limits: { idleMs: 10 } });
  await app.put("f", version(0));
  for (let n = 1; n <= 5; n++) {
    await eventually(
      async () => /bulkhead_flow_threads\{[^}]*\} 0/.test(await (await app.api("/metrics")).text()),
      "the thread is released",
    );
    const [call, put] = await Promise.all([app.post("/api/r", "x"), app.put("f", version(n))]);
    assert.deepEqual([call.status, put.status], [200, 200]);
  }
});

for (const [change, status, init] of [
  ["DELETE", 404, { path: "/flows/f", method: "DELETE" }],
  ["stop", 503, { path: "/flows/f/stop", method: "POST" }],
] as const) {
  test(`a body that comes in while its flow goes by a ${change} is answered ${status}`, async (t) => {
    const app = await startTestApp(t);
    await app.put("f", answering("r", "x"));
    const call = request(`${app.url}/api/r`, { method: "POST", headers: { Expect: "100-continue" } });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      call.once("response", (response) => resolve(response.resume().statusCode));
      call.once("error", reject);
    });
    // The runtime wants the body: it has let the call in.
    const continued = new Promise((resolve) => call.once("continue", resolve));
    call.flushHeaders();
    await continued;
    assert.equal((await app.api(init.path, { method: init.method })).status, 200);
    call.end("the rest");
    assert.equal(await answered, status);
  });
}

test("of many replacements at most two drain; the oldest runs are killed", async (t) => {
  const app = await startTestApp(t);
  const waiting = (n: number): string =>
    webhook("r", `log: "began ${n}"`, "delay: { constant: 60000 }", `setBody: { constant: "${n}" }`);
  const calls: Promise<Response>[] = [];
  for (let n = 0; n < 4; n++) {
    await app.put("f", waiting(n));
    calls.push(app.post("/api/r", "x"));
    await eventually(() => app.logs.some(({ message }) => message === `began ${n}`), `run ${n}`);
  }
  const oldest = await calls[0];
  assert.equal(oldest?.status, 503);
  assert.equal(oldest?.headers.get("x-error-code"), "draining");
  const running = (await (await app.api("/runs?status=running")).json()) as unknown[];
  assert.equal(running.length, 3);
  await app.api("/flows/f?drainMs=0", { method: "DELETE" });
  await app.close();
  assert.deepEqual(
    (await Promise.all(calls)).map(({ status }) => status),
    [503, 503, 503, 503],
  );
});

test("a flow that stops with runs under way is Stopping until they have ended", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  await app.put("f", webhook("r", held.step));
  const call = app.post("/api/r", "x");
  await held.holds(1);
  const stopped = (await (await app.api("/flows/f/stop", { method: "POST" })).json()) as Listed;
  assert.equal(stopped.state, "Stopping");
  held.letGo();
  assert.equal((await call).status, 200);
  await eventually(async () => (await list(app))[0]?.state === "Stopped", "it has stopped");
});

test("changes of one flow are done in the order of their arrival", async (t) => {
  const app = await startTestApp(t);
  const put = (text: string): string => {
    const yaml = answering("r", text);
    return `PUT /_api/flows/f HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/yaml\r\nContent-Length: ${yaml.length}\r\n\r\n${yaml}`;
  };
  const bare = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  assert.deepEqual(await pipelined(app, ["1", "2", "3", "4"].map(put)), [201, 200, 200, 200]);
  assert.equal(await (await app.post("/api/r")).text(), "4");
  assert.deepEqual(
    (await list(app)).map(({ state, revision }) => [state, revision]),
    [["Started", 4]],
  );
  const operations = ["POST /_api/flows/f/stop", "POST /_api/flows/f/start", "DELETE /_api/flows/f"];
  assert.deepEqual(await pipelined(app, [...operations, "DELETE /_api/flows/f"].map(bare)), [200, 200, 200, 404]);
});

test("a PUT during the boot load comes after it; names of stored flows stay theirs", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`f${i}.yaml`, answering(`r${i}`, `stored ${i}`)] as const),
  );
  const app = await startTestApp(t, { files, early: true });
  const [replaced, taken, early] = await Promise.all([
    app.put("f9", answering("r9", "put")),
    app.put("a", answering("r19", "mine")),
    app.post("/api/r19"),
  ]);
  assert.deepEqual([replaced.status, taken.status], [200, 409]);
  assert.ok(early.status === 503 || early.status === 200, String(early.status));
  await app.app.loaded;
  assert.equal(await (await app.post("/api/r9")).text(), "put");
  assert.equal(await (await app.post("/api/r19")).text(), "stored 19");
  const nine = (await list(app)).find(({ id }) => id === "f9");
  assert.deepEqual([nine?.state, nine?.revision], ["Started", 2]);
  const threads = (await (await app.api("/metrics")).text()).matchAll(/^bulkhead_flow_threads\{[^}]*\} (\d+)$/gm);
  // The flows that were called have one; the replaced one has left none behind.
  const counts = [...threads].map(([, count]) => Number(count));
  assert.deepEqual([counts.length, Math.max(...counts)], [20, 1]);
});

test("calls that had arrived when a shutdown began are answered, and told to go elsewhere", async (t) => {
  const app = await startTestApp(t, { limits: { shutdownMs: 10_000 } });
  await app.put("f", answering("r", "here"));
  const sockets = Array.from({ length: 8 }, () => connect(Number(new URL(app.url).port), "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const calls = sockets.map((socket) => socket.setEncoding("latin1").toArray());
  for (const socket of sockets) socket.write("POST /api/r HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx");
  await app.close();
  for (const parts of await Promise.all(calls))
    assert.match(parts.join(""), /^HTTP\/1.1 200 .*Connection: close.*here$/s);
});

test("a shutdown during the boot load does not wait for all of it", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`f${i}.yaml`, answering(`r${i}`, "x")] as const),
  );
  const begun = Promise.withResolvers<void>();
  const create: FsPort["create"] = (path, mode) => {
    begun.resolve();
    return nodeFs.create(path, mode);
  };
  const app = await startTestApp(t, { files, early: true, fs: { ...nodeFs, create }, limits: { shutdownMs: 60_000 } });
  await begun.promise;
  await app.close();
  const recorded = await readdir(join(app.directory, "data", "flows"));
  assert.ok(recorded.length > 0 && recorded.length < 30, String(recorded.length));
  await app.app.loaded;
  assert.deepEqual(await readdir(join(app.directory, "data", "flows")), recorded);
  assert.ok(!app.logs.some(({ message }) => message.includes("serves after")));
});

test("a shutdown during deployments answers each of them, and keeps none that it refused", async (t) => {
  const app = await startTestApp(t);
  const puts = Array.from({ length: 6 }, (_, i) =>
    app.put(`f${i}`, answering(`r${i}`, "x")).then(
      ({ status }) => status,
      () => undefined,
    ),
  );
  await Promise.race(puts);
  await app.close();
  const statuses = await Promise.all(puts);
  assert.ok(statuses.every((status) => status === undefined || status === 201 || status === 503));
  const second = await startTestApp(t, { directory: app.directory });
  const kept = new Set((await list(second)).map(({ id }) => id));
  for (const [i, status] of statuses.entries()) {
    if (status === 201) assert.ok(kept.has(`f${i}`));
    if (status === 503) assert.ok(!kept.has(`f${i}`));
  }
});

test("a flow whose file was removed by hand still runs, and a DELETE ends it", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "here"));
  await unlink(join(app.routesDirectory, "f.yaml"));
  assert.deepEqual(
    (await list(app)).map(({ id, state }) => `${id} ${state}`),
    ["f Gone"],
  );
  assert.equal(await (await app.post("/api/r")).text(), "here");
  assert.equal((await app.api("/flows/f", { method: "DELETE" })).status, 200);
  assert.deepEqual(await list(app), []);
  assert.equal((await app.post("/api/r")).status, 404);
  assert.equal((await app.put("other", answering("r", "free"))).status, 201);
});

test("validate tells a limit that is not allowed beside the document's own problems", async (t) => {
  const app = await startTestApp(t);
  const answer = await app.api("/flows/f/validate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ yaml: webhook("r", "lgo: x"), limits: { streamRing: 1 } }),
  });
  assert.equal(answer.status, 200);
  const { valid, diagnostics } = (await answer.json()) as { valid: boolean; diagnostics: { code: string }[] };
  assert.equal(valid, false);
  assert.equal(diagnostics.length, 2);
  assert.equal(diagnostics[1]?.code, "limit_not_allowed");
});
