/** The management of flows over HTTP (docs/api.md 3): what a PUT, a DELETE, a stop do to what callers and operators see. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

interface Put {
  readonly hash: string;
  readonly revision: number;
  readonly created: boolean;
  readonly changed: boolean;
  readonly restarted?: boolean;
  readonly routeCount: number;
  readonly routes: readonly { id: string; status: string; webhook?: string }[];
  readonly warnings: readonly { code: string; message: string }[];
  readonly swap: { draining: number; drained?: number; killed?: number };
}

interface Listed {
  readonly id: string;
  readonly lastModified: string;
  readonly hash: string;
  readonly routeCount: number;
  readonly state: string;
  readonly revision: number | null;
  readonly deployedHash: string | null;
  readonly error?: string;
}

test("a PUT installs a flow that serves when it is answered, and keeps its YAML as sent", async (t) => {
  const app = await startTestApp(t);
  const yaml = `# a comment\n${answering("r", "one")}`;
  const put = await app.put("f", yaml);
  assert.equal(put.status, 201);
  const answer = (await put.json()) as Put;
  assert.deepEqual([answer.created, answer.changed, answer.revision, answer.routeCount], [true, true, 1, 1]);
  assert.deepEqual(answer.routes, [{ id: "r", uri: "webhook", status: "Started", webhook: "/api/r" }]);
  assert.equal(answer.hash, createHash("sha256").update(yaml).digest("hex"));
  assert.equal(await (await app.post("/api/r")).text(), "one");
  assert.equal(await readFile(join(app.routesDirectory, "f.yaml"), "utf8"), yaml);

  const list = (await (await app.api("/flows")).json()) as Listed[];
  assert.deepEqual(
    list.map(({ id, state, routeCount, hash }) => ({ id, state, routeCount, hash })),
    [{ id: "f", state: "Started", routeCount: 1, hash: answer.hash }],
  );
  assert.ok(!Number.isNaN(Date.parse(list[0]?.lastModified ?? "")));
});

test("a PUT replaces; the same text again changes nothing", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  const second = await app.put("f", answering("r", "two"));
  assert.equal(second.status, 200);
  assert.equal(((await second.json()) as Put).revision, 2);
  assert.equal(await (await app.post("/api/r")).text(), "two");
  const again = (await (await app.put("f", answering("r", "two"))).json()) as Put;
  assert.deepEqual([again.changed, again.created, again.revision], [false, false, 2]);
});

test("a refused PUT leaves the old flow serving and its file untouched", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  for (const yaml of [
    "- route: [",
    webhook("r", "lgo: x"),
    "",
    "- route: { id: r, from: { uri: 'timer:t', steps: [] } }",
  ]) {
    const refused = await app.put("f", yaml);
    assert.ok(refused.status === 422 || refused.status === 400, `${refused.status} for ${yaml}`);
    assert.deepEqual(Object.keys((await refused.json()) as object), ["error"]);
  }
  assert.equal(await (await app.post("/api/r")).text(), "one");
  assert.equal(await readFile(join(app.routesDirectory, "f.yaml"), "utf8"), answering("r", "one"));
});

test("a refusal names each problem with its place and what was meant, as many as its body has room for", async (t) => {
  const app = await startTestApp(t);
  const refusal = async (...steps: readonly string[]): Promise<string[]> => {
    const refused = await app.put("orders", webhook("r", ...steps));
    assert.equal(refused.status, 422);
    const text = await refused.text();
    assert.ok(Buffer.byteLength(text) <= 1024, text);
    return (JSON.parse(text) as { error: string }).error.split("\n");
  };
  const wrong = (line: number): string => `orders.yaml:${line}:11: unknown step 'lgo' (did you mean 'log'?)`;
  const see = "see POST /_api/flows/orders/validate";
  const steps = (count: number): string[] => Array.from({ length: count }, () => "lgo: x");
  assert.deepEqual(await refusal(...steps(1)), [wrong(6)]);
  assert.deepEqual(await refusal(...steps(2)), [`${wrong(6)}; 1 more problem, ${see}`, wrong(7)]);
  assert.deepEqual(await refusal(...steps(3)), [`${wrong(6)}; 2 more problems, ${see}`, wrong(7), wrong(8)]);
  const [first, ...others] = await refusal(...steps(60));
  assert.equal(first, `${wrong(6)}; 59 more problems, ${see}`);
  const last = others.pop();
  assert.ok(others.length > 10);
  assert.deepEqual(
    others,
    others.map((_, index) => wrong(7 + index)),
  );
  assert.equal(last, `${59 - others.length} more, ${see}`);
  const option = 'to: { uri: "kafka:orders", parameters: { brokrs: "a.test:9092" } }';
  const problems = await refusal(option, "to: kafak:topic", option, "lgo: x");
  assert.equal(problems.length, 4, problems.join("\n"));
});

test("validate tells every problem and deploys nothing", async (t) => {
  const app = await startTestApp(t);
  const answer = await app.api("/flows/f/validate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ yaml: webhook("r", "lgo: x", "setBody: { constnt: 1 }") }),
  });
  assert.equal(answer.status, 200);
  const { valid, diagnostics } = (await answer.json()) as {
    valid: boolean;
    diagnostics: { line: number; severity: string }[];
  };
  assert.equal(valid, false);
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === "error").map(({ line }) => line),
    [6, 7],
  );
  assert.deepEqual(await (await app.api("/flows")).json(), []);
});

test("a dry run checks and plans, and deploys nothing", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  const dry = (await (await app.put("f", answering("s", "two"), {}, "?dryRun=true")).json()) as {
    plan: unknown;
    dryRun: boolean;
  };
  assert.deepEqual(dry.plan, { start: ["s"], stop: ["r"], unchanged: [] });
  assert.equal(await (await app.post("/api/r")).text(), "one");
  assert.equal((await app.post("/api/s")).status, 404);
});

test("a route under the reserved path is refused", async (t) => {
  const app = await startTestApp(t);
  for (const uri of [
    "platform-http:/_api/flows",
    "platform-http:/%5Fapi/x",
    "platform-http:/*",
    "platform-http:/{any}/flows",
  ]) {
    const refused = await app.put(
      "f",
      `- route:\n    id: r\n    from:\n      uri: "${uri}"\n      steps:\n        - log: x\n`,
    );
    assert.equal(refused.status, 422, uri);
    assert.match(((await refused.json()) as { error: string }).error, /_api/, uri);
  }
});

test("a route id has one owner; its flow's DELETE frees it", async (t) => {
  const app = await startTestApp(t);
  await app.put("first", answering("r", "one"));
  for (const id of ["r", "R"]) {
    const clash = await app.put("second", answering(id, "two"));
    assert.equal(clash.status, 409);
    assert.match(((await clash.json()) as { error: string }).error, /'first'/);
  }
  assert.equal((await app.api("/flows/first", { method: "DELETE" })).status, 200);
  assert.equal((await app.put("second", answering("r", "two"))).status, 201);
  assert.equal(await (await app.post("/api/r")).text(), "two");
});

test("a DELETE stops the routes and deletes the YAML; a second one finds nothing", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  const deleted = await app.api("/flows/f", { method: "DELETE" });
  assert.deepEqual(await deleted.json(), { id: "f", deleted: true, draining: 0 });
  assert.equal((await app.post("/api/r")).status, 404);
  assert.deepEqual(await readdir(app.routesDirectory), []);
  assert.equal((await app.api("/flows/f", { method: "DELETE" })).status, 404);
  assert.equal(((await (await app.put("f", answering("r", "two"))).json()) as Put).revision, 2);
});

test("If-Match and If-None-Match guard a PUT", async (t) => {
  const app = await startTestApp(t);
  const put = (yaml: string, headers: Record<string, string>): Promise<Response> =>
    app.api("/flows/f", { method: "PUT", headers: { "Content-Type": "application/yaml", ...headers }, body: yaml });
  assert.equal((await put(answering("r", "one"), { "If-Match": "*" })).status, 412);
  assert.equal((await put(answering("r", "one"), { "If-None-Match": "*" })).status, 201);
  assert.equal((await put(answering("r", "two"), { "If-None-Match": "*" })).status, 412);
  const etag = (await app.api("/flows/f")).headers.get("etag") ?? "";
  assert.match(etag, /^"[0-9a-f]{64}\.1"$/);
  assert.equal((await put(answering("r", "two"), { "If-Match": etag })).status, 200);
  assert.equal((await put(answering("r", "three"), { "If-Match": etag })).status, 412);
  assert.equal(await (await app.post("/api/r")).text(), "two");
});

test("params fill placeholders; a missing one is refused where it stands", async (t) => {
  const app = await startTestApp(t);
  const yaml = webhook("r", 'setBody: { constant: "{{greeting}} {{name:you}}" }');
  const missing = await app.put("f", yaml);
  assert.equal(missing.status, 422);
  assert.match(((await missing.json()) as { error: string }).error, /^f\.yaml:6:\d+: .*greeting/);
  assert.equal((await app.put("f", yaml, { params: { greeting: "hi", name: null, other: 1 } })).status, 201);
  assert.equal(await (await app.post("/api/r")).text(), "hi you");
  const lost = (await (await app.put("f", `${yaml}# changed\n`, { params: { greeting: "ho" } })).json()) as Put;
  assert.ok(lost.warnings.some(({ code, message }) => code === "params_lost" && message.includes("name")));
});

test("limits of a flow hold within what the operator allows", async (t) => {
  const app = await startTestApp(t);
  assert.equal((await app.put("f", answering("r", "x"), { limits: { webhookWallMs: 10_000_000 } })).status, 422);
  assert.equal((await app.put("f", answering("r", "x"), { limits: { streamRing: 1 } })).status, 422);
  assert.equal((await app.put("f", webhook("r", 'log: "x"'), { limits: { webhookBodyBytes: 3 } })).status, 201);
  assert.equal((await app.post("/api/r", "1234")).status, 413);
});

test("stop and start last over a restart; a PUT starts", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  const stopped = await app.api("/flows/f/stop", { method: "POST" });
  assert.equal(((await stopped.json()) as Listed).state, "Stopped");
  const refused = await app.post("/api/r");
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await app.close();

  const second = await startTestApp(t, { directory: app.directory });
  assert.equal((await second.post("/api/r")).status, 503);
  assert.equal((await second.put("other", answering("r", "two"))).status, 409);
  assert.equal((await second.api("/flows/f/start", { method: "POST" })).status, 200);
  assert.equal(await (await second.post("/api/r")).text(), "one");
  await second.api("/flows/f/stop", { method: "POST" });
  const put = (await (await second.put("f", answering("r", "one"))).json()) as Put;
  assert.deepEqual([put.changed, put.restarted], [false, true]);
  assert.equal(await (await second.post("/api/r")).text(), "one");
});

test("flows come back after a restart, with their params and revision", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'setBody: { constant: "{{text}}" }'), { params: { text: "kept" } });
  await app.close();
  const second = await startTestApp(t, { directory: app.directory });
  assert.equal(await (await second.post("/api/r")).text(), "kept");
  const [flow] = (await (await second.api("/flows")).json()) as Listed[];
  assert.deepEqual([flow?.state, flow?.revision], ["Started", 1]);
});

test("a file that does not load is listed as Failed with its reason, and the others run", async (t) => {
  const app = await startTestApp(t, {
    files: {
      "bad.yaml": "- route: [",
      "good.yaml": answering("r", "good"),
      "odd name.yaml": "- x",
      "other.yml": "- x",
      "taken.yaml": answering("r", "late"),
    },
  });
  assert.equal(await (await app.post("/api/r")).text(), "good");
  const list = (await (await app.api("/flows")).json()) as Listed[];
  const states = Object.fromEntries(list.map(({ id, state }) => [id, state]));
  assert.deepEqual(states, {
    bad: "Failed",
    good: "Started",
    "odd name.yaml": "Failed",
    "other.yml": "Failed",
    taken: "Failed",
  });
  assert.match(list.find(({ id }) => id === "bad")?.error ?? "", /bad\.yaml:1:/);
  assert.match(list.find(({ id }) => id === "taken")?.error ?? "", /'good'/);
  const health = (await (await fetch(`${app.url}/_api/health`)).json()) as { status: string };
  assert.equal(health.status, "DEGRADED");
});

test("a file edited by hand is Changed until it is reloaded", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "one"));
  await writeFile(join(app.routesDirectory, "f.yaml"), answering("r", "by hand"));
  const state = async (): Promise<string | undefined> =>
    ((await (await app.api("/flows")).json()) as Listed[])[0]?.state;
  assert.equal(await state(), "Changed");
  assert.equal(await (await app.post("/api/r")).text(), "one");
  assert.equal((await app.api("/flows/f/reload", { method: "POST" })).status, 200);
  assert.equal(await (await app.post("/api/r")).text(), "by hand");
  assert.equal(await state(), "Started");
});

test("a redeploy under calls drops none, and after its answer only the new version replies", async (t) => {
  const app = await startTestApp(t);
  const version = (n: number): string => webhook("r", "delay: { constant: 5 }", `setBody: { constant: "${n}" }`);
  await app.put("f", version(0));
  let done = false;
  let deployed = 0;
  const seen: { least: number; got: string; status: number }[] = [];
  const callers = Array.from({ length: 8 }, async () => {
    while (!done) {
      const least = deployed;
      const answer = await app.post("/api/r", "x");
      seen.push({ least, got: await answer.text(), status: answer.status });
    }
  });
  for (let n = 1; n <= 10; n++) {
    assert.equal((await app.put("f", version(n))).status, 200);
    deployed = n;
  }
  done = true;
  await Promise.all(callers);
  assert.deepEqual(
    seen.filter(({ status }) => status !== 200),
    [],
  );
  assert.deepEqual(
    seen.filter(({ least, got }) => Number(got) < least),
    [],
  );
  assert.ok(seen.length > 20);
});

test("a PUT with drainMs waits for the old deployment and kills what is left", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "began"', "delay: { constant: 60000 }"));
  const call = app.post("/api/r", "x");
  await eventually(() => app.logs.some(({ message }) => message === "began"), "the run began");
  const put = (await (await app.put("f", answering("r", "two"), {}, "?drainMs=50")).json()) as Put;
  assert.deepEqual(put.swap.draining, 1);
  assert.deepEqual([put.swap.drained, put.swap.killed], [0, 1]);
  assert.equal((await call).status, 503);
  const said = app.logs.find(({ level, message }) => level === "WARN" && message.includes("drainMs"))?.message;
  const list = "bulkhead runs --flow f --status killed";
  assert.equal(said, `1 run was killed, since revision 1 was replaced 50 ms ago (drainMs): list them with '${list}'`);
  const runs = (await (await app.api("/runs?flowId=f&status=killed")).json()) as readonly unknown[];
  assert.equal(runs.length, 1);
});

test("the log says when a deployment's runs are killed because two later deployments wait for theirs", async (t) => {
  const app = await startTestApp(t);
  for (const n of [1, 2, 3]) {
    await app.put("f", webhook("r", `log: "began ${n}"`, "delay: { constant: 60000 }"));
    app.post("/api/r", "x").catch(() => {});
    await eventually(() => app.logs.some(({ message }) => message === `began ${n}`), "the run began");
  }
  await app.put("f", answering("r", "four"));
  const said = await eventually(
    () => app.logs.find(({ message }) => message.includes("killed, since")),
    "the log says it",
  );
  const list = "bulkhead runs --flow f --status killed";
  const why = "revision 1 is followed by 2 deployments whose runs have not ended either";
  assert.equal(said.message, `1 run was killed, since ${why}: list them with '${list}'`);
});

test("a flow is listed with the names that it calls of other flows, and one that calls none without them", async (t) => {
  const app = await startTestApp(t);
  const calling = webhook("c", "to: direct:own", "to: direct:far", "wireTap: direct:far");
  const own = "- route: { id: own, from: { uri: direct:own, steps: [{ log: x }] } }\n";
  assert.equal((await app.put("caller", `${calling}${own}`)).status, 201);
  assert.equal((await app.put("plain", answering("p", "x"))).status, 201);
  const list = (await (await app.api("/flows")).json()) as (Listed & { calls?: string[] })[];
  assert.deepEqual(
    list.map(({ id, calls }) => [id, calls]),
    [
      ["caller", ["far"]],
      ["plain", undefined],
    ],
  );
});
