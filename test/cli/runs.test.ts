/** `runs` and `failed` against a runtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bulkhead, startBulkhead } from "../support/command-line.ts";
import { waitingMessages } from "../support/failed-messages.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, token } from "../support/start-app.ts";

const flow = webhook(
  "orders",
  "setBody: { simple: 'got ${body}' }",
  "choice: { when: [{ simple: \"${header.fail} == 'yes'\", steps: [{ throwException: { exceptionType: java.lang.IllegalStateException, message: 'no \u001b[31m stock' } }] }] }",
);

test("runs are listed, shown with their errors, and retried with their kept messages", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  assert.equal((await app.put("orders", flow)).status, 201);
  assert.equal(await (await app.post("/api/orders", "1")).text(), "got 1");
  const failed = await app.post("/api/orders", "2", { fail: "yes", Prefer: "respond-async" });
  const runId = failed.headers.get("x-run-id") ?? "";
  const [message] = await waitingMessages(app, 1);

  await t.test("the list is filtered by the status, and its JSON is the runtime's", async () => {
    const { code, stdout } = await bulkhead(["runs", "--status", "failed", "--flow", "orders"], { env });
    assert.equal(code, 0);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, 2, stdout);
    assert.match(lines[1] ?? "", new RegExp(`^${runId} .* orders +orders +failed `));
    const json = await bulkhead(["runs", "--json", "--since", "1h"], { env });
    assert.equal((JSON.parse(json.stdout) as unknown[]).length, 2);
  });

  await t.test("a run that went well although steps of it failed shows how many", async () => {
    const step =
      "doTry: { steps: [{ throwException: { exceptionType: java.io.IOException, message: away } }], doCatch: [{ exception: [java.lang.Exception], steps: [{ setBody: { constant: kept } }] }] }";
    assert.equal((await app.put("handled", webhook("handled", step))).status, 201);
    assert.equal(await (await app.post("/api/handled")).text(), "kept");
    const { stdout } = await bulkhead(["runs", "--flow", "handled"], { env });
    assert.match(stdout, / completed +\d+ ms +\(1 step failed\)$/m);
  });

  await t.test("show names the error with its step and line, and lets no escape sequence through", async () => {
    const { stdout } = await bulkhead(["runs", "show", runId], { env });
    assert.match(stdout, /^status +failed$/m);
    assert.match(
      stdout,
      /^error +java\.lang\.IllegalStateException \(step \S+, orders\.yaml:7\)\n +no \\u001b\[31m stock$/m,
    );
    const none = await bulkhead(["runs", "show", "nothing"], { env });
    assert.deepEqual([none.code, none.stdout], [1, ""]);
  });

  await t.test(
    "a flow or a route that is not there is told, where the list would be empty without a word",
    async () => {
      for (const args of [["runs"], ["failed"], ["failed", "retry"], ["failed", "discard"]]) {
        const { code, stdout, stderr } = await bulkhead([...args, "--flow", "ordres"], { env });
        assert.deepEqual(
          [code, stdout, stderr],
          [1, "", "bulkhead: there is no flow 'ordres' (did you mean 'orders'?)\n"],
        );
      }
      const route = await bulkhead(["runs", "--flow", "orders", "--route", "imports", "--json"], { env });
      assert.deepEqual([route.code, route.stderr], [1, "bulkhead: flow 'orders' has no route 'imports'\n"]);
      const none = await bulkhead(["runs", "--flow", "orders", "--status", "shed"], { env });
      assert.deepEqual([none.code, none.stderr], [0, "There are no such runs.\n"]);
    },
  );

  await t.test("failed lists the message, shows its body, and retries it until its run is over", async () => {
    const id = message?.id ?? "";
    assert.match((await bulkhead(["failed"], { env })).stdout, new RegExp(`^${id} .* orders +orders +waiting `, "m"));
    const shown = await bulkhead(["failed", "show", id], { env });
    assert.match(shown.stdout, new RegExp(`^message +${id}, .*\\nflow +orders, revision 1\\nroute +orders\\n`));
    assert.match(shown.stdout, /^error +java\.lang\.IllegalStateException \(step \S+, orders\.yaml:7\)$/m);
    assert.match(shown.stdout, /\n\nbody: "?2"?\n[\s\S]*\n\nbulkhead failed retry \S+ --wait {2}runs it again\n$/);
    const retried = await bulkhead(["failed", "retry", id, "--wait"], { env });
    assert.equal(retried.code, 1, "it fails again");
    assert.match(retried.stdout, /^retried: run \S+ failed\n$/);
    const byRun = await bulkhead(["runs", "retry", "nothing"], { env });
    assert.equal(byRun.code, 1);
  });

  await t.test("what is discarded must be named, and all of them counted", async () => {
    assert.equal((await bulkhead(["failed", "discard"], { env })).code, 2);
    const wrong = await bulkhead(["failed", "discard", "--all", "7"], { env });
    assert.deepEqual([wrong.code, wrong.stderr], [1, "bulkhead: 1 failed messages wait, not 7: nothing was done\n"]);
    const right = await bulkhead(["failed", "discard", "--all", "1"], { env });
    assert.deepEqual([right.code, right.stdout], [0, "discarded: 1\n"]);
    const run = await bulkhead(["runs", "retry", runId], { env });
    assert.match(run.stderr, /no message of run \S+ \(failed\) is kept|is not waiting|discarded/);
  });
});

test("--since refuses what is no time, also where a date could be read into it", async () => {
  for (const time of ["5", "1h30m", "yesterday", "2026-13-01"]) {
    const { code, stderr } = await bulkhead(["runs", "--since", time]);
    assert.equal(code, 2, time);
    assert.match(stderr, /--since takes a time such as 15m, 2h, 3d or 2026-01-31T12:00:00Z/);
  }
});

test("runs --follow refuses what is for runs that are over, or has no end", async () => {
  for (const [option, value] of [
    ["--since", "1h"],
    ["--limit", "3"],
    ["--status", "running"],
  ] as const) {
    const { code, stderr } = await bulkhead(["runs", "--follow", option, value]);
    assert.equal(code, 2, option);
    assert.match(stderr, /--follow/);
  }
});

test("runs --follow prints each run as it ends, a line of JSON each, until it is stopped", async (t) => {
  const app = await startTestApp(t);
  assert.equal((await app.put("orders", flow)).status, 201);
  const followed = startBulkhead(["runs", "--follow", "--json", "--flow", "orders"], {
    BULKHEAD_URL: app.url,
    BULKHEAD_TOKEN: token,
  });
  t.after(() => followed.kill("SIGKILL"));
  await followed.said(/^Following/);
  await app.post("/api/orders", "1");
  await followed.said(/^\{.*\}$/m);
  followed.kill("SIGINT");
  const { code, stdout } = await followed.ended;
  const { type, flowId } = JSON.parse(stdout) as { type: string; flowId: string };
  assert.deepEqual([code, type, flowId], [0, "run.completed", "orders"]);
});
