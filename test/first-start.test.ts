/** What the first `npm start` of a checkout does before the runtime starts, and that git sees nothing of it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const sampleFlows = readdirSync(join(root, "routes/samples")).filter((name) => name.endsWith(".yaml"));

/** A directory with what of the project matters here. */
function checkout(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "bulkhead-checkout-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join(root, "routes/samples"), join(directory, "routes/samples"), { recursive: true });
  cpSync(join(root, ".gitignore"), join(directory, ".gitignore"));
  return directory;
}

function start(directory: string, env: Readonly<Record<string, string>> = {}): string {
  const script = join(root, "scripts/samples.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: directory, env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, "");
  return stderr;
}

function flowsIn(directory: string): string[] {
  return readdirSync(join(directory, "routes")).filter((name) => name.endsWith(".yaml"));
}

test("npm start runs it first", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Readonly<Record<string, string>>;
  };
  for (const name of ["prestart", "predev"]) assert.equal(scripts[name], "node scripts/samples.ts");
});

test("the first start finds the sample flows, with their tests and documents, and says so", (t) => {
  const directory = checkout(t);
  assert.match(start(directory, { ROUTES_DIR: "", DATA_DIR: " " }), /^first start: the sample flows .* are copied/);
  assert.deepEqual(flowsIn(directory), sampleFlows);
  for (const part of ["tests/hello.yaml", "documents/auth/crm-orders.json"])
    assert.equal(
      readFileSync(join(directory, "routes", part), "utf8"),
      readFileSync(join(root, "routes/samples", part), "utf8"),
    );
});

test("later starts leave the routes directory as it is: a flow that was deleted does not come back", (t) => {
  const directory = checkout(t);
  start(directory);
  mkdirSync(join(directory, "data/flows"), { recursive: true });
  for (const name of flowsIn(directory)) rmSync(join(directory, "routes", name));
  assert.equal(start(directory), "");
  assert.deepEqual(flowsIn(directory), []);
});

test("a checkout with flows of its own, and one that is run with another ROUTES_DIR, get no samples", (t) => {
  const elsewhere = checkout(t);
  start(elsewhere, { ROUTES_DIR: "/srv/routes" });
  assert.deepEqual(flowsIn(elsewhere), []);
  const own = checkout(t);
  writeFileSync(join(own, "routes/mine.yaml"), "");
  start(own);
  assert.deepEqual(flowsIn(own), ["mine.yaml"]);
});

test("a routes directory that may not be written does not keep the runtime from starting", (t) => {
  const directory = checkout(t);
  // Stands where a directory would be copied to, whatever the user's rights.
  writeFileSync(join(directory, "routes/tests"), "");
  assert.match(start(directory), /^the sample flows of routes\/samples\/ are not copied into routes\/: /);
});

test("git status stays clean over a first start, a deployment and tests of one's own", (t) => {
  if (spawnSync("git", ["--version"]).error !== undefined) return t.skip("there is no git");
  const directory = checkout(t);
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: directory, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  git("init", "--quiet");
  git("add", "--all");
  start(directory);
  mkdirSync(join(directory, "data"));
  for (const path of ["routes/greet.yaml", "routes/tests/greet.yaml", "data/lock"])
    writeFileSync(join(directory, path), "");
  assert.equal(git("ls-files", "--others", "--exclude-standard"), "");
  assert.equal(git("ls-files", "routes").split("\n").includes("routes/samples/hello.yaml"), true);
});
