/** A runtime with restored data: timers and sources wait until the operator starts them; everything else serves. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { restoreBackup } from "../../../src/control/backup/restore.ts";
import { eventually } from "../../support/clock.ts";
import { failedMessage, postFailed, retried, waitingMessages } from "../../support/failed-messages.ts";
import { answering, direct, webhook } from "../../support/flows.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import { archiveOf, environmentOf, json, newDirectory } from "./support.ts";

const from = (id: string, uri: string): string => direct(id, "x", "log: x").replace("direct:x", uri);
const ticking = from("tick", "timer:t?period=50");
const mixed =
  answering("door", "open") + from("tock", "timer:t?period=50") + from("reader", "file:in") + from("queue", "seda:q");

interface Flow {
  readonly id: string;
  readonly routes: readonly { readonly id: string; readonly status: string }[];
}

async function statuses(app: TestApp): Promise<Readonly<Record<string, string>>> {
  const flows = (await (await app.api("/flows")).json()) as Flow[];
  return Object.fromEntries(flows.flatMap(({ routes }) => routes.map(({ id, status }) => [id, status])));
}

async function problemsOf(app: TestApp): Promise<readonly string[]> {
  const { problems } = (await (await app.api("/health")).json()) as { problems: { code: string; message: string }[] };
  return problems.filter(({ code }) => code === "restored").map(({ message }) => message);
}

const runs = async (app: TestApp, routeId: string): Promise<number> =>
  ((await (await app.api(`/runs?routeId=${routeId}`)).json()) as unknown[]).length;

const held = (t: TestContext) =>
  startTestApp(t, { held: true, files: { "mixed.yaml": mixed, "ticking.yaml": ticking } });

test("clocks and sources wait, webhooks and queues of the flow's own serve, and health reports it", async (t) => {
  const app = await held(t);
  assert.deepEqual(await statuses(app), {
    ...{ door: "Started", tock: "Stopped", reader: "Stopped", queue: "Started" },
    tick: "Stopped",
  });
  assert.equal(await (await app.post("/api/door")).text(), "open");
  const [problem = ""] = await problemsOf(app);
  assert.match(
    problem,
    /^the data was restored from a backup: 3 routes of 2 flows wait; bulkhead start --start begins/,
  );
});

test("a start of a flow begins its routes, and a later PUT of it leaves them running", async (t) => {
  const app = await held(t);
  for (const id of ["mixed", "ticking"]) {
    assert.equal((await app.api(`/flows/${id}/start`, { method: "POST" })).status, 200);
    await eventually(async () => (await runs(app, id === "mixed" ? "tock" : "tick")) > 0, `the timer of ${id} runs`);
  }
  assert.deepEqual(await problemsOf(app), []);
  const { routes } = (await (await app.put("ticking", ticking.replace("50", "60"))).json()) as {
    routes: readonly { id: string; uri: string; status: string }[];
  };
  assert.deepEqual(
    routes.map(({ id, uri, status }) => [id, uri, status]),
    [["tick", "timer:t?period=60", "Started"]],
  );
});

test("a PUT of a flow that waits is taken, its timer waits, and the answer warns", async (t) => {
  const app = await held(t);
  const { warnings } = (await (await app.put("new", from("other", "timer:o?period=50"))).json()) as {
    warnings: { code: string; message: string }[];
  };
  const [warning] = warnings.filter(({ code }) => code === "held_route");
  assert.match(warning?.message ?? "", /so these routes wait: other; bulkhead start --start/);
  assert.equal((await statuses(app))["other"], "Stopped");
  assert.equal(await runs(app, "other"), 0);
});

test("failed messages of a flow that waits are not retried until it is started; they can be read and discarded", async (t) => {
  const first = await startTestApp(t);
  const fails = webhook("in", "throwException: { exceptionType: java.io.IOException, message: broken }");
  await first.put("f", fails);
  for (const body of ["a", "b"]) await first.post("/api/in", body, { prefer: "respond-async" });
  await waitingMessages(first, 2);
  await first.put("f", answering("in", "fine"));
  await first.close();

  const app = await startTestApp(t, { held: true, directory: first.directory });
  assert.equal(await (await app.post("/api/in")).text(), "fine");
  const [one, other] = await waitingMessages(app, 2);
  for (const [path, sent] of [
    [`${one?.id}/retry`, undefined],
    ["retry", { flowId: "f" }],
    ["retry", { all: true, expect: 2 }],
  ] as const) {
    const answer = await postFailed(app, path, sent);
    assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [409, "not_retryable"], path);
    assert.match(((await answer.json()) as { error: string }).error, /restored from a backup.*bulkhead start --start/);
  }
  assert.equal((await failedMessage(app, one?.id ?? "")).attempts, 1);
  assert.equal((await app.api(`/failed/${other?.id}`, { method: "DELETE" })).status, 200);
  assert.equal((await waitingMessages(app, 1)).length, 1);

  assert.equal((await app.api("/flows/f/start", { method: "POST" })).status, 200);
  assert.equal((await retried(app, one?.id ?? "")).body, "fine");
});

test("bulkhead start holds what bulkhead restore has made, bulkhead start --start ends that for good", async (t) => {
  const directory = newDirectory(t);
  writeFileSync(join(directory, "a.tar"), await archiveOf([{ path: "routes/ticking.yaml", text: ticking }]));
  const target = join(directory, "restored");
  mkdirSync(target);
  await restoreBackup({ archive: join(directory, "a.tar"), directory: target, start: false });
  const env = environmentOf(target);
  const isHeld = async (url: string): Promise<boolean> => {
    const isReady = async () => (await fetch(`${url}/_api/health?probe=ready`)).status === 200;
    await eventually(isReady, "the boot is over", 30_000);
    const [flow] = await json<Flow[]>(url, "/flows");
    return flow?.routes[0]?.status === "Stopped";
  };
  for (const [args, holds] of [
    [[], true],
    [["start", "--start"], false],
    [["start"], false],
  ] as const) {
    const { url, lines, child, exited } = await startProcess(t, env, { args });
    assert.equal(await isHeld(url), holds, args.join(" "));
    const said = lines.filter((line) => line.includes("restored from a backup of 2026-11-23T10:00:00.000Z"));
    assert.equal(said.length, args.length === 1 ? 0 : 1);
    child.kill("SIGTERM");
    assert.equal(await exited, 0);
  }
  assert.ok(!existsSync(join(env.DATA_DIR, "restored.json")));
});
