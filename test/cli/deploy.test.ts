/** `deploy`, `diff` and `rollback`: files into a runtime. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bulkhead } from "../support/command-line.ts";
import { answering, webhook } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";
import { startTestApp, token } from "../support/start-app.ts";

test("a folder is planned, deployed in one piece, compared, pruned and rolled back", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const run = (...args: readonly string[]) => bulkhead(args, { env });
  const folder = folderOf(t, {
    "greet.yaml": webhook("greet", "setBody: { simple: '{{greeting}} ${body}' }"),
    "greet.flow.yaml": "params: { greeting: hello }\n",
    "other.yaml": answering("other", "one"),
    "documents/value-mappings/codes.json": JSON.stringify({ entries: { DE: "Germany" } }),
    "documents/auth/other.json": JSON.stringify({ mode: "report", anonymous: true }),
  });

  await t.test("--dry-run prints the plan with diffs, and nothing is there afterwards", async () => {
    const { code, stdout, stderr } = await run("deploy", folder, "--dry-run");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^\+ create {4}flow greet$/m);
    assert.match(stdout, /^ {4}\+- route:$/m);
    assert.match(stdout, /^ {4}\+\+\+ greet\.flow\.yaml \(as JSON\)$/m);
    assert.doesNotMatch(stdout, /other\.flow\.yaml/, "it has no options");
    assert.match(stdout, /^\+ create {4}value mapping codes$/m);
    assert.match(stdout, /\n4 to create, 0 to replace, 0 to remove, 0 unchanged\n$/);
    assert.equal((await run("list", "flows")).stdout, "");
  });

  await t.test("deploy ends when the flows serve, with the options of the companion file", async () => {
    const { code, stdout } = await run("deploy", folder, "--set", "shop");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\n4 created, 0 replaced, 0 removed, 0 unchanged\nin service\n$/);
    assert.equal(await (await app.post("/api/greet", "Ada")).text(), "hello Ada");
    const again = await run("deploy", folder, "--set", "shop", "--json");
    assert.equal((JSON.parse(again.stdout) as { changed: boolean }).changed, false);
  });

  await t.test("diff shows the lines that differ, and --exit-code tells it to scripts", async () => {
    assert.equal((await run("diff", folder, "--exit-code")).code, 0);
    writeFileSync(join(folder, "other.yaml"), answering("other", "two"));
    const { code, stdout } = await run("diff", folder, "--exit-code");
    assert.equal(code, 1);
    assert.match(stdout, /^~ replace {3}flow other/m);
    assert.match(stdout, /^ {4}- +- setBody: \{ constant: "one" \}\n {4}\+ +- setBody: \{ constant: "two" \}$/m);
    assert.equal((await run("diff", folder)).code, 0);
  });

  await t.test("when one part does not pass nothing is deployed, and its lines are shown", async () => {
    writeFileSync(join(folder, "bad.yaml"), webhook("bad", "setBoddy: { constant: x }"));
    const { code, stdout, stderr } = await run("deploy", folder, "--set", "shop");
    assert.equal(code, 1);
    assert.match(stdout, /^error\[unknown_step\]: .*\n -->.*bad\.yaml:6:11\n/m);
    assert.equal(stderr, "bulkhead: nothing was deployed: 1 error\n");
    assert.equal(await (await app.post("/api/other")).text(), "one");
    rmSync(join(folder, "bad.yaml"));
  });

  await t.test("rollback puts the revision before into service, or the one that is named", async () => {
    await run("deploy", join(folder, "other.yaml"));
    assert.equal(await (await app.post("/api/other")).text(), "two");
    const back = await run("rollback", "other");
    assert.deepEqual([back.code, back.stdout], [0, "revision 1 of other is in service, as revision 3\n"]);
    assert.equal(await (await app.post("/api/other")).text(), "one");
    assert.match((await run("rollback", "other", "--list")).stdout, /^ +3 {2}current/m);
    const unknown = await run("rollback", "other", "--to", "99");
    assert.equal(unknown.code, 1);
    assert.equal((await run("rollback", "greet")).code, 1);
  });

  await t.test("--prune removes what the set had, and needs its name", async () => {
    assert.equal((await run("deploy", folder, "--prune")).code, 2);
    rmSync(join(folder, "greet.yaml"));
    rmSync(join(folder, "greet.flow.yaml"));
    const { code, stdout } = await run("deploy", folder, "--set", "shop", "--prune");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^- remove {4}flow greet/m);
    assert.equal((await app.post("/api/greet")).status, 404);
  });
});
