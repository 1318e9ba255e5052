/** `init`: a project folder, of a greeting or an example. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bulkhead, bulkheadProcess, startBulkhead } from "../support/command-line.ts";
import { folderOf } from "../support/folders.ts";

interface Made {
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly next: readonly string[];
}

test("a project that init makes, and an example that it adds, are valid without a warning, name the schema for editors, and pass their tests", async (t) => {
  const folder = join(folderOf(t, {}), "shop");
  const routes = join(folder, "routes");
  const made = await bulkhead(["init", folder]);
  assert.deepEqual([made.code, made.stderr], [0, ""]);
  assert.match(made.stdout, /^written +\S+shop\/routes\/hello\.yaml\n/);
  assert.match(made.stdout, /\n\nNext:\n +cd \S+shop\n +bulkhead validate /);
  const [first] = readFileSync(join(routes, "hello.yaml"), "utf8").split("\n");
  assert.equal(first, "# yaml-language-server: $schema=./flow-schema.json");
  const schema = JSON.parse(readFileSync(join(routes, "flow-schema.json"), "utf8")) as { $schema: string };
  assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
  assert.match(readFileSync(join(folder, ".gitignore"), "utf8"), /^\/data\/$/m);
  const added = await bulkhead(["init", folder, "--from", "rest-api-on-a-table", "--json"]);
  const { written, kept, next } = JSON.parse(added.stdout) as Made;
  const below = (paths: readonly string[]): string[] => paths.map((path) => path.slice(folder.length + 1));
  assert.deepEqual(below(written).sort(), [
    "routes/documents/connections/articles-db.json",
    "routes/rest-api-on-a-table.flow.yaml",
    "routes/rest-api-on-a-table.yaml",
    "routes/tests/rest-api-on-a-table.yaml",
  ]);
  assert.deepEqual(below(kept), ["routes/flow-schema.json", ".gitignore"]);
  assert.equal(next.at(-1), "bulkhead deploy routes");

  const [valid, tested] = await Promise.all([
    bulkhead(["validate", routes]),
    bulkheadProcess(["test", join(routes, "tests")]),
  ]);
  assert.deepEqual([valid.code, valid.stdout.split("\n")[0]], [0, "valid: 5 files"]);
  assert.equal(tested.code, 0, tested.stdout + tested.stderr);
  assert.match(tested.stdout, /^10 tests: 10 passed, 0 failed/m);
});

test("git sees nothing of what run and run --dev make in a project", async (t) => {
  if (spawnSync("git", ["--version"]).error !== undefined) return t.skip("there is no git");
  const folder = join(folderOf(t, {}), "shop");
  assert.equal((await bulkhead(["init", folder])).code, 0);
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  git("init", "--quiet");
  git("add", "--all");
  const inProject = ["run", "--port", "0", "--routes", join(folder, "routes"), "--data", join(folder, "data")];
  for (const [args, started] of [
    [inProject, /flow loaded/],
    [["run", "--dev", folder, "--port", "0"], /hello +revision 1 serves/],
  ] as const) {
    const runtime = startBulkhead(args);
    await runtime.said(started);
    const others = git("ls-files", "--others", "--exclude-standard");
    runtime.kill("SIGTERM");
    assert.equal((await runtime.ended).code, 0);
    assert.equal(others + git("ls-files", "--others", "--exclude-standard"), "");
  }
});

test("a file that is in the way is named, and nothing is written", async (t) => {
  const folder = folderOf(t, { "routes/tests/hello.yaml": "mine\n", ".gitignore": "/mine\n" });
  const { code, stdout, stderr } = await bulkhead(["init", folder]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(stderr, `bulkhead: nothing is written: ${folder}/routes/tests/hello.yaml is there already\n`);
  assert.deepEqual(readdirSync(join(folder, "routes")), ["tests"]);
  const file = await bulkhead(["init", join(folder, ".gitignore"), "--from", "scatter-gather"]);
  assert.equal(file.code, 1);
  assert.match(file.stderr, /^bulkhead: \S+\.gitignore\/routes\/scatter-gather\S* cannot be written: /);
});

test("the examples are listed by category, a line each, and one that is not there is refused", async () => {
  const { stdout } = await bulkhead(["init", "--list"]);
  const ids = readdirSync(new URL("../../examples/", import.meta.url)).sort();
  assert.deepEqual([...stdout.matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map(([, id]) => id).sort(), ids);
  assert.match(stdout, /^Message brokers\n {2}jms-request-reply +Request and reply over JMS behind HTTP\n/m);
  const listed = JSON.parse((await bulkhead(["init", "--list", "--json"])).stdout) as { id: string; needs: string }[];
  assert.match(listed.find(({ id }) => id === "scatter-gather")?.needs ?? "", /^Needs three addresses/);
  const wrong = await bulkhead(["init", "--from", "scatter-gater"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /there is no 'scatter-gater' \(did you mean 'scatter-gather'\?\)/);
  assert.equal((await bulkhead(["init", "shop", "--list"])).code, 2);
});
