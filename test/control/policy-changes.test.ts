/** A policy is in force when its change is acknowledged: for calls under way, under load, over a restart, and when its flow goes. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { nodeFs } from "../../src/control/stores/fs-port.ts";
import { eventually } from "../support/clock.ts";
import { jwt, startProvider, tokenKey } from "../support/credentials.ts";
import { answering, webhook } from "../support/flows.ts";
import { everybody, install, nobody, outcome, shopKey, shopOnly, withKey } from "../support/policies.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";
import { startProcess } from "../support/start-process.ts";
import { parseAnswer } from "./http/raw.ts";

const seen = webhook("f", 'setBody: { simple: "${header.CamelPrincipal}|${header.x-api-key}" }');

/** A call whose head is let in; `finish` sends its body. */
async function slowCall(
  app: TestApp,
  lines: readonly string[],
): Promise<{ finish(): Promise<{ status: number; body: string }> }> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  let text = "";
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
  });
  const head = ["POST /api/f HTTP/1.1", "Host: x", "Connection: close", "Content-Length: 5", "Expect: 100-continue"];
  socket.write(`${[...head, ...lines].join("\r\n")}\r\n\r\n`);
  await eventually(() => text.includes("100 Continue\r\n\r\n"), "the head is let in");
  return {
    async finish() {
      socket.write("hello");
      await closed;
      return parseAnswer(text.slice(text.indexOf("\r\n\r\n") + 4));
    },
  };
}

test("calls while policies change", async (t) => {
  const key = tokenKey("k");
  const provider = await startProvider(t, [key]);
  const app = await startTestApp(t, { egressAllow: provider.host });
  await app.put("f", seen);
  const remove = (): Promise<Response> => app.api("/auth/f", { method: "DELETE" });
  const bearer = `Authorization: Bearer ${jwt(key, provider.claims())}`;
  const apiKey = `X-API-Key: ${shopKey}`;
  const rows: readonly (readonly [
    what: string,
    before: object | undefined,
    lines: readonly string[],
    after: object | undefined,
    status: number,
    body: RegExp,
  ])[] = [
    ["nobody is allowed any more", shopOnly, [apiKey], nobody, 403, /^\{"error"/],
    ["a policy comes to an open flow, for a stranger", undefined, [], shopOnly, 401, /^\{"error"/],
    ["a policy comes to an open flow, for who may call", undefined, [apiKey], shopOnly, 200, /^shop\|$/],
    ["a policy goes", shopOnly, [apiKey], undefined, 200, new RegExp(`^\\|${shopKey}$`)],
    ["a policy becomes public", shopOnly, [apiKey], everybody, 200, /^anonymous\|/],
    ["keys give way to tokens that are not there", shopOnly, [apiKey], provider.policy, 401, /^\{"error"/],
    ["a token whose keys are fetched only now", undefined, [bearer], provider.policy, 200, /^idp:alice\|$/],
    ["the same policy is sent again", shopOnly, [apiKey], shopOnly, 200, /^shop\|$/],
  ];
  for (const [what, before, lines, after, status, body] of rows) {
    await t.test(`the body is still coming: ${what}`, async () => {
      if (before === undefined) await remove();
      else await install(app, "f", before);
      const call = await slowCall(app, lines);
      if (after === undefined) assert.equal((await remove()).status, 200);
      else await install(app, "f", after);
      const answer = await call.finish();
      assert.equal(answer.status, status, answer.body);
      assert.match(answer.body, body);
    });
  }

  await t.test("under load no answer contradicts the last policy that was acknowledged", async () => {
    let began = 0;
    let acknowledged = 0;
    let over = false;
    const contradictions: string[] = [];
    /** Calls of the loop below that lay within one policy's time. */
    let within = 0;
    async function callOn(): Promise<void> {
      while (!over) {
        const at = acknowledged;
        const quiet = began === at;
        const { status } = await app.post("/api/f", "x");
        // Nothing has changed from before it was sent until it was answered.
        if (!quiet || began !== at) continue;
        within += 1;
        if (status !== (at % 2 === 0 ? 200 : 401)) contradictions.push(`${status} after change ${at}`);
      }
    }
    await install(app, "f", everybody);
    const callers = Array.from({ length: 4 }, callOn);
    for (let change = 1; change <= 20; change++) {
      began = change;
      within = 0;
      await install(app, "f", change % 2 === 0 ? everybody : shopOnly);
      acknowledged = change;
      const { status } = await app.post("/api/f", "x");
      if (status !== (change % 2 === 0 ? 200 : 401)) contradictions.push(`${status} right after change ${change}`);
      await eventually(() => within > 0, `a call within change ${change}`);
    }
    over = true;
    await Promise.all(callers);
    assert.deepEqual(contradictions, []);
  });

  await t.test(
    "a policy may be there before its flow, stays when the flow is deleted, and goes when it is purged",
    async () => {
      await install(app, "later", shopOnly);
      const flow = answering("later", "in");
      assert.equal((await app.put("later", flow)).status, 201);
      assert.equal((await app.post("/api/later")).status, 401);
      assert.equal((await app.api("/flows/later", { method: "DELETE" })).status, 200);
      assert.equal((await app.post("/api/later")).status, 404);
      assert.equal((await app.api("/auth/later")).status, 200);
      assert.equal((await app.put("later", flow)).status, 201);
      assert.equal((await app.post("/api/later")).status, 401);
      assert.equal((await app.post("/api/later", "", withKey)).status, 200);
      assert.equal((await app.api("/flows/later?purge=true", { method: "DELETE" })).status, 200);
      assert.equal((await app.api("/auth/later")).status, 404);
      assert.equal((await app.put("later", flow)).status, 201);
      assert.equal((await app.post("/api/later")).status, 200);
    },
  );
});

test("a token's keys are fetched while the policy changes: what the older one says is not answered", async (t) => {
  const ready = Promise.withResolvers<void>();
  const provider = await startProvider(t, [tokenKey("k")], ready.promise);
  const app = await startTestApp(t, { egressAllow: provider.host });
  await app.put("f", seen);
  await install(app, "f", provider.policy);
  const strange = { Authorization: `Bearer ${jwt(tokenKey("k"), provider.claims())}` };
  const calls = [app.post("/api/f", "x", strange), app.post("/api/f", "x", strange)];
  await eventually(() => provider.heard.length > 0, "the keys are asked for");
  await install(app, "f", everybody);
  ready.resolve();
  for (const call of calls) assert.equal((await call).status, 200);
});

test("no flow serves before the policies are there, and then each has its own", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-test-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const first = await startTestApp(t, { directory, files: { "f.yaml": seen } });
  await install(first, "f", shopOnly);
  await first.close();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  // Whatever comes of the test: the runtime waits for it when it ends.
  t.after(() => answered.resolve());
  const read: string[] = [];
  const app = await startTestApp(t, {
    directory,
    early: true,
    fs: {
      ...nodeFs,
      async names(path) {
        read.push(basename(path));
        if (path.endsWith("policies")) {
          asked.resolve();
          await answered.promise;
        }
        return nodeFs.names(path);
      },
    },
  });
  await asked.promise;
  for (let i = 0; i < 20; i++) assert.equal(outcome(await app.post("/api/f", "", withKey)), "503 route_starting");
  assert.ok(read.includes("policies"));
  const put = install(app, "f", { ...shopOnly, mode: "report" });
  answered.resolve();
  await app.app.loaded;
  await put;
  await install(app, "f", shopOnly);
  assert.equal((await app.post("/api/f")).status, 401);
  assert.equal(await (await app.post("/api/f", "", withKey)).text(), "shop|");
});

test("what was acknowledged holds after the process was killed, a removal too", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-test-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const env = {
    ...{ SERVICE_DEPLOY_TOKEN: token, LOG_LEVEL: "info" },
    ...{ ROUTES_DIR: join(directory, "routes"), DATA_DIR: join(directory, "data") },
  };
  const first = await startProcess(t, env);
  const send = (url: string, method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}/_api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  for (const id of ["kept", "removed"]) {
    assert.equal((await send(first.url, "PUT", `/flows/${id}`, { yaml: answering(id, id) })).status, 201);
    assert.equal((await send(first.url, "PUT", `/auth/${id}`, shopOnly)).status, 201);
  }
  assert.equal((await send(first.url, "DELETE", "/auth/removed")).status, 200);
  first.child.kill("SIGKILL");
  await first.exited;
  const { url, lines } = await startProcess(t, env);
  await eventually(() => lines.some((line) => line.includes("2 flows loaded")), "the flows are loaded");
  const call = (id: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}/api/${id}`, { method: "POST", headers });
  assert.equal((await call("kept", {})).status, 401);
  assert.equal((await call("kept", withKey)).status, 200);
  assert.equal((await call("removed", {})).status, 200);
});
