/** The designer as a process: `bulkhead designer`, and `npm run demo`, a runtime and a designer with the sample flows, which end together. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import type { FlowEntry } from "../../../designer/shared/wire.ts";
import { packDesigner } from "../../../scripts/package/designer.ts";
import { startBulkhead } from "../../support/command-line.ts";
import { hasEnded } from "../../support/ended.ts";
import { folderOf } from "../../support/folders.ts";
import { startTestApp, token } from "../../support/start-app.ts";

const root = resolve(import.meta.dirname, "../../..");

test("in a project folder bulkhead designer sends its page, has the flows of routes/, and calls the runtime of BULKHEAD_URL with BULKHEAD_TOKEN", async (t) => {
  const project = folderOf(t, { "routes/hello.yaml": "- x: 1\n", "routes/tests/hello.yaml": "flow: hello\n" });
  const { url: runtime } = await startTestApp(t);
  const started = startBulkhead(
    ["designer"],
    { DESIGNER_PORT: "0", BULKHEAD_URL: runtime, BULKHEAD_TOKEN: token },
    [],
    { cwd: project },
  );
  t.after(() => started.kill("SIGTERM"));
  const said = await started.said(/^target default: \S+\n/m);
  const designer = /^designer: (\S+)$/m.exec(said)?.[1] ?? "";
  assert.match(said, /^workspace: \S+\/routes$/m);
  assert.ok(said.includes(`target default: ${runtime}`), said);
  const page = await (await fetch(`${designer}/`)).text();
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  assert.equal((await fetch(`${designer}${script}`)).status, 200, page);
  const flows = (await (await fetch(`${designer}/designer/flows`)).json()) as FlowEntry[];
  assert.deepEqual(
    flows.map(({ id }) => id),
    ["hello"],
  );
  assert.equal((await fetch(`${designer}/targets/default/_api/flows`)).status, 200);
  assert.equal(existsSync(join(project, "flows")), false);
  started.kill("SIGTERM");
  const { code, stderr } = await started.ended;
  assert.deepEqual([code, stderr.includes(token)], [0, false]);
});

test("in any other folder bulkhead designer makes flows/", async (t) => {
  const folder = folderOf(t, { routes: "a file\n" });
  const started = startBulkhead(["designer"], { DESIGNER_PORT: "0" }, [], { cwd: folder });
  t.after(() => started.kill("SIGTERM"));
  assert.match(await started.said(/^workspace: .*\n/m), /^workspace: \S+\/flows$/m);
  assert.ok(existsSync(join(folder, "flows")));
});

test("the designer of a package needs neither sources nor libraries, and its recipes are the package's examples", async (t) => {
  const folder = folderOf(t, { "work/hello.yaml": "- x: 1\n" });
  const { inputs } = await packDesigner(join(folder, "dist/designer"));
  for (const library of ["fastify", "react-dom", "yaml"])
    assert.ok(
      inputs.some((path) => path.startsWith(`node_modules/${library}/`)),
      library,
    );
  for (const path of inputs) assert.ok(existsSync(join(root, path)), path);
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  const env = { ...process.env, DESIGNER_PORT: "0", WORKSPACE: join(folder, "work") };
  const packed = spawn(process.execPath, ["dist/designer/installed.js"], {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => packed.kill("SIGTERM"));
  const ended = once(packed, "exit");
  const designer = /^designer: (\S+)$/m.exec(await textUntil(packed.stdout, "target default"))?.[1] ?? "";
  const page = await (await fetch(`${designer}/`)).text();
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  const sent = await fetch(`${designer}${script}`, { headers: { "Accept-Encoding": "br" } });
  assert.deepEqual([sent.status, sent.headers.get("content-encoding")], [200, "br"]);
  assert.match(await sent.text(), /createElement/);
  const recipes = await (await fetch(`${designer}/designer/recipes`)).text();
  assert.match(recipes, /"id":"scatter-gather"/);
  packed.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
});

test("the demo prints both addresses, its samples are deployed, one of them stores and reads, and nothing stays when it is ended", async (t) => {
  const env = { ...process.env, PORT: "0", DESIGNER_PORT: "0" };
  const demo = spawn(process.execPath, ["scripts/demo.ts"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => demo.kill("SIGTERM"));
  const ended = once(demo, "exit");
  const text = await textUntil(demo.stdout, "Ctrl-C ends both");
  const [runtime = "", designer = "", folder = ""] = [/^runtime: +(\S+)/m, /^designer: +(\S+)/m, /^flows: +(\S+)/m].map(
    (line) => line.exec(text)?.[1] ?? "",
  );
  assert.equal((await fetch(`${runtime}/_api/health`)).status, 200);
  assert.match(await (await fetch(`${designer}/`)).text(), /<div id="root">/);
  const flows = (await (await fetch(`${designer}/designer/flows`)).json()) as FlowEntry[];
  assert.ok(flows.some(({ id, deployed }) => id === "hello" && deployed["default"]?.revision === 1));
  assert.ok(flows.some(({ id, deployed }) => id === "notes" && deployed["default"]?.revision === 1));
  const post = async (path: string, body: unknown): Promise<string> => {
    const headers = { "Content-Type": "application/json" };
    return await (await fetch(`${runtime}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).text();
  };
  assert.equal(await post("/api/note", { author: "Ada", note: "the engine weaves" }), "stored 1");
  assert.equal(await post("/api/notes", { author: "Ada" }), '[{"id":1,"note":"the engine weaves"}]');
  demo.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  assert.equal(existsSync(folder), false);
  await assert.rejects(fetch(`${runtime}/_api/health`));
  await assert.rejects(fetch(`${designer}/`));
});

for (const signal of ["SIGKILL", "SIGHUP"] as const)
  test(`${signal} to the demo ends its runtime in order, and its designer`, async (t) => {
    const folder = folderOf(t, {});
    const demo = spawn(process.execPath, ["scripts/demo.ts", join(folder, "kept")], {
      cwd: root,
      env: { ...process.env, PORT: "0", DESIGNER_PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => demo.kill("SIGKILL"));
    const text = await textUntil(demo.stdout, "Ctrl-C ends both");
    demo.kill(signal);
    for (const name of ["runtime", "designer"])
      await hasEnded(join(folder, "kept/data"), new RegExp(`^${name}: .*$`, "m").exec(text)?.[0] ?? "");
  });

/** Resolves with what a process has printed when that holds `part`, and when it ends. */
async function textUntil(stdout: AsyncIterable<Buffer>, part: string): Promise<string> {
  let text = "";
  for await (const more of stdout) {
    text += more;
    if (text.includes(part)) break;
  }
  return text;
}
