/** Files that are dropped into the routes directory: deployed with ROUTES_WATCH, reported in the log and in health without it. */
import assert from "node:assert/strict";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { eventually } from "../support/clock.ts";
import { bulkhead } from "../support/command-line.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";

interface Problem {
  readonly code: string;
  readonly file?: string;
  readonly flowId?: string;
  readonly message: string;
}

const write = (app: TestApp, name: string, text: string): Promise<void> =>
  writeFile(join(app.routesDirectory, name), text);
const said = async (app: TestApp): Promise<string> => (await app.post("/api/r")).text();
const becomes = (app: TestApp, text: string): Promise<true> =>
  eventually(async () => (await said(app)) === text || undefined, `the flow answers ${text}`);
const problem = (app: TestApp, message: RegExp): Promise<Problem> =>
  eventually(async () => {
    const { problems } = (await (await app.api("/health")).json()) as { problems: Problem[] };
    return problems.find((one) => one.code === "file_not_deployed" && message.test(one.message));
  }, `a problem ${message}`);
const none = (app: TestApp): Promise<boolean> =>
  eventually(async () => {
    const { problems } = (await (await app.api("/health")).json()) as { problems: Problem[] };
    // A busy machine adds problems of other kinds.
    return problems.every((one) => one.code !== "file_not_deployed");
  }, "no file waits");

test("a file that is dropped, and one that changes, is deployed with its companion", async (t) => {
  const app = await startTestApp(t, { routesWatch: true });
  await write(app, "f.yaml", answering("r", "one"));
  await becomes(app, "one");
  await write(app, "f.flow.yaml", 'params: { who: "you" }\n');
  await write(app, "f.yaml", webhook("r", 'setBody: { constant: "{{who}}" }'));
  await becomes(app, "you");
  assert.ok(
    app.logs.some(({ message, flowId }) => flowId === "f" && message.startsWith("f.yaml was deployed as it was")),
  );
  const { revision } = (await (await app.api("/flows/f")).json()) as { revision: number };
  assert.equal(revision, 2);
  // What the runtime writes itself is deployed already.
  await app.put("f", answering("r", "put"));
  await write(app, "g.yaml", answering("s", "x"));
  await eventually(async () => (await app.post("/api/s")).ok || undefined, "the other flow is there");
  assert.equal(((await (await app.api("/flows/f")).json()) as { revision: number }).revision, 3);
});

test("a file that cannot be deployed is reported, the flow goes on, and a mended one is deployed", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "one") }, routesWatch: true });
  assert.equal(await said(app), "one");
  await write(app, "f.yaml", webhook("r", "lgo: x"));
  const found = await problem(app, /unknown step 'lgo'/);
  assert.deepEqual([found.file, found.flowId], ["f.yaml", "f"]);
  const lines = app.logs.filter(({ message }) => message.includes("unknown step 'lgo'"));
  assert.deepEqual(
    lines.map(({ level, message }) => `${level} ${message.split(":")[0]}`),
    ["ERROR f.yaml is not deployed"],
  );
  assert.equal(await said(app), "one");
  const { status } = (await (await app.api("/health")).json()) as { status: string };
  assert.equal(status, "UP");
  await write(app, "f.yaml", answering("r", "two"));
  await becomes(app, "two");
  await none(app);
});

test("a file with a name that is no flow's is reported, and one that is removed stops nothing", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "one") }, routesWatch: true });
  await write(app, "other.yml", answering("s", "x"));
  assert.equal((await problem(app, /a flow's file ends in \.yaml/)).file, "other.yml");
  await rm(join(app.routesDirectory, "other.yml"));
  await rm(join(app.routesDirectory, "f.yaml"));
  await problem(app, /f\.yaml is gone, and the flow still runs/);
  assert.equal(await said(app), "one");
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const [listed] = (await (await app.api("/flows?usage=true")).json()) as Record<string, unknown>[];
  assert.deepEqual([listed?.["id"], listed?.["state"], listed?.["hash"]], ["f", "Gone", listed?.["deployedHash"]]);
  assert.match((await bulkhead(["list", "flows"], { env })).stdout, /^f +Gone .*bulkhead delete flows f /m);
  assert.match((await bulkhead(["top", "--once"], { env })).stdout, /^f +Gone /m);
  assert.equal((await bulkhead(["delete", "flows", "f"], { env })).stdout, "removed: flow f\n");
  assert.deepEqual(await (await app.api("/flows")).json(), []);
  await write(app, "g.yaml", answering("s", "x"));
  await none(app);
});

test("a file that is renamed is one flow, whether its names clash or not", async (t) => {
  const app = await startTestApp(t, {
    files: { "f.yaml": answering("r", "one"), "t.yaml": "- from: { uri: timer:t, steps: [ { log: tick } ] }\n" },
    routesWatch: true,
  });
  assert.equal(await said(app), "one");
  for (const [from, to] of [
    ["f", "g"],
    ["t", "u"],
  ])
    await rename(join(app.routesDirectory, `${from}.yaml`), join(app.routesDirectory, `${to}.yaml`));
  const ids = async (): Promise<string> =>
    ((await (await app.api("/flows")).json()) as { id: string; state: string }[])
      .map(({ id, state }) => `${id} ${state}`)
      .join();
  await eventually(async () => (await ids()) === "g Started,u Started" || undefined, "both have their new names");
  assert.equal(await said(app), "one");
  await none(app);
  assert.ok(app.logs.some(({ message }) => message.startsWith("f.yaml was renamed to g.yaml: the flow f has ended")));
});

test("a renamed file of a flow with an access policy waits until its new name has one", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "one") }, routesWatch: true });
  const policy = JSON.stringify({ mode: "report", anonymous: true });
  await app.api("/auth/f", { method: "PUT", body: policy, headers: { "content-type": "application/json" } });
  await rename(join(app.routesDirectory, "f.yaml"), join(app.routesDirectory, "g.yaml"));
  await problem(app, /whose file is gone and which has an access policy\. Give g one, too/);
  assert.equal(await said(app), "one");
  await app.api("/auth/g", { method: "PUT", body: policy, headers: { "content-type": "application/json" } });
  await eventually(async () => (await app.api("/flows/g")).ok || undefined, "it is deployed");
  await none(app);
});

test("a watched flow is deleted without its file, which --file removes after a question", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "one") }, routesWatch: true });
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const run = (...args: readonly string[]) => bulkhead(args, { env });
  const files = (): Promise<string[]> => readdir(app.routesDirectory);
  const kept = await run("delete", "flows", "f");
  assert.deepEqual([kept.code, kept.stdout], [0, "removed: flow f\n"]);
  assert.match(kept.stderr, /^f\.yaml stays in the folder, and deploys the flow again/);
  assert.deepEqual([(await app.post("/api/r")).status, await files()], [404, ["f.yaml"]]);
  assert.equal((await run("delete", "flows", "f")).code, 1);
  await write(app, "g.yaml", answering("s", "x"));
  await eventually(async () => (await app.post("/api/s")).ok || undefined, "it has looked");
  assert.equal((await app.post("/api/r")).status, 404, "a file that has not changed stays as it is");
  assert.equal((await run("reload", "f")).stdout, "f: revision 2 serves\n");

  const unasked = await run("delete", "flows", "f", "--file");
  assert.deepEqual([unasked.code, (await files()).length], [2, 2]);
  assert.match(unasked.stderr, /confirm it with --yes/);
  const questions: string[] = [];
  const asked = (answer: string) =>
    bulkhead(["delete", "flows", "f", "--file"], {
      env,
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
    });
  assert.equal((await asked("")).stderr, "bulkhead: nothing was removed\n");
  assert.equal(await said(app), "one");
  assert.equal((await asked("y")).code, 0);
  assert.deepEqual(await files(), ["g.yaml"]);
  assert.equal(questions[0], "Remove f.yaml from the folder, too? [y/N] ");
  assert.equal((await run("delete", "flows", "g", "--file", "--yes")).code, 0);
  assert.deepEqual(await files(), []);
});

test("a flow comes with the policy that lies in documents/auth, when it has none yet", async (t) => {
  const policy = (name: string): string => JSON.stringify({ apiKeys: [{ name, sha256: "5f".repeat(32) }] });
  const app = await startTestApp(t, {
    files: {
      "f.yaml": answering("r", "one"),
      "documents/auth/f.json": policy("shop"),
      "bad.yaml": answering("b", "one"),
      "documents/auth/bad.json": '{ "apiKeys": [',
    },
    routesWatch: true,
  });
  const writer = async (id: string): Promise<string | undefined> => {
    const all = (await (await app.api("/auth")).json()) as { flowId: string; writtenBy: { via: string } | null }[];
    return all.find(({ flowId }) => flowId === id)?.writtenBy?.via;
  };
  assert.equal((await app.post("/api/r")).status, 401);
  assert.equal(await writer("f"), "documents/auth/f.json");
  const flows = (await (await app.api("/flows")).json()) as { id: string; state: string; error?: string }[];
  const bad = flows.find(({ id }) => id === "bad");
  assert.match(`${bad?.state} ${bad?.error}`, /^Failed documents\/auth\/bad\.json: it is not JSON: .* reload bad$/);
  assert.notEqual((await app.post("/api/b")).status, 200);

  const answers: number[] = [];
  const asking = new AbortController();
  const asked = (async () => {
    while (!asking.signal.aborted) answers.push((await app.post("/api/s")).status);
  })();
  await write(app, "documents/auth/g.json", policy("crm"));
  await write(app, "g.yaml", answering("s", "one"));
  await eventually(async () => answers.includes(401) || undefined, "the flow serves");
  asking.abort();
  await asked;
  assert.deepEqual([...new Set(answers)].sort(), [401, 404]);

  const own = JSON.stringify({ mode: "report", anonymous: true });
  await app.api("/auth/g", { method: "PUT", body: own, headers: { "content-type": "application/json" } });
  await write(app, "g.yaml", answering("s", "two"));
  await eventually(async () => (await (await app.post("/api/s")).text()) === "two" || undefined, "it is deployed");
  assert.equal(await writer("g"), "PUT /_api/auth/g", "a policy that is in force stays");
});

test("a companion that changes alone, and a file of a stopped flow, are reported and change nothing", async (t) => {
  const app = await startTestApp(t, { routesWatch: true });
  await app.put("f", answering("r", "one"));
  await app.put("g", answering("s", "one"));
  await app.api("/flows/g/stop", { method: "POST" });
  await write(app, "h.yaml", answering("h", "x"));
  await eventually(async () => (await app.post("/api/h")).ok || undefined, "it has looked");
  await write(app, "f.flow.yaml", "record: all\n");
  await problem(app, /f\.flow\.yaml has changed alone/);
  assert.equal(((await (await app.api("/flows/f")).json()) as { record?: string }).record, undefined);
  await write(app, "g.yaml", answering("s", "two"));
  await problem(app, /the flow is stopped: bulkhead reload g deploys and starts it/);
  assert.equal((await app.post("/api/s")).status, 503);
  await app.api("/flows/g/start", { method: "POST" });
  await eventually(
    async () => (await (await app.post("/api/s")).text()) === "two" || undefined,
    "the file is deployed",
  );
});

test("without ROUTES_WATCH files are reported, listed and left alone", async (t) => {
  const app = await startTestApp(t);
  await write(app, "f.yaml", answering("r", "one"));
  const waiting = await problem(app, /^it waits for bulkhead reload f \(/);
  assert.deepEqual([waiting.file, waiting.flowId], ["f.yaml", "f"]);
  assert.ok(
    app.logs.some(({ level, message }) => level === "INFO" && message.startsWith("f.yaml is not deployed: it waits")),
  );
  const [flow] = (await (await app.api("/flows")).json()) as { state: string }[];
  assert.equal(flow?.state, "Changed");
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  assert.match(
    (await bulkhead(["list", "flows"], { env })).stdout,
    /^f +Changed .* its file waits: bulkhead reload f deploys/m,
  );
  assert.match(
    (await bulkhead(["doctor"], { env })).stdout,
    /^warning +files of flows +files wait in the routes directory: f: /m,
  );
  assert.equal((await bulkhead(["reload"], { env })).stdout, "f: revision 1 serves\n");
  assert.equal(await said(app), "one");
  await none(app);
  assert.equal((await bulkhead(["reload"], { env })).stdout, "no file waits\n");
  await write(app, "f.yaml", webhook("r", "to: direct:nobody"));
  const warned = await bulkhead(["reload", "f"], { env });
  assert.match(warned.stdout, /^f: revision 2 serves\n {2}warning\[external_direct\]: f\.yaml:6: no route .*\n$/);
  await write(app, "f.yaml", webhook("r", "lgo: x"));
  const refused = await bulkhead(["reload"], { env });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^bulkhead: f: f\.yaml:\d+:\d+: unknown step 'lgo'/);
});

test("without ROUTES_WATCH a file that is no flow makes the report DEGRADED, and one that is gone is named", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "one") } });
  await write(app, "other.yml", answering("s", "x"));
  await problem(app, /a flow's file ends in \.yaml/);
  const status = async (): Promise<string> => ((await (await app.api("/health")).json()) as { status: string }).status;
  await eventually(async () => (await status()) === "DEGRADED", "the report has it");
  await rm(join(app.routesDirectory, "other.yml"));
  await eventually(async () => (await status()) === "UP", "the report is good again");
  await none(app);
  await rm(join(app.routesDirectory, "f.yaml"));
  await problem(app, /f\.yaml is gone, and the flow still runs/);
  assert.equal(await said(app), "one");
});

test("a changed file of a stopped flow is no problem any more once it is deployed by a reload", async (t) => {
  const app = await startTestApp(t, { files: { "f.yaml": answering("r", "one") } });
  await app.api("/flows/f/stop", { method: "POST" });
  await write(app, "f.yaml", answering("r", "two"));
  await problem(app, /the flow is stopped: bulkhead reload f deploys and starts it/);
  await app.api("/flows/f/reload", { method: "POST" });
  await none(app);
  assert.equal(await said(app), "two");
});
