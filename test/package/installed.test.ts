/** The package in every layout of an installation: a first flow from `init` to a call, the designer, and the rights of threads. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../support/clock.ts";
import { type Started, startProgram } from "../support/command-line.ts";
import { folderOf, writeFiles } from "../support/folders.ts";
import { startHttpServer } from "../support/http-server.ts";
import { type Installed, layouts } from "../support/layouts.ts";
import { kinds } from "../support/package-flows.ts";
import { packed, succeed } from "../support/packed.ts";
import { part } from "../support/part.ts";

for (const layout of layouts)
  test(`${layout.name}: the package checks, tests, serves and redeploys a first flow, starts the designer, and its threads read its code only`, async (t) => {
    const folder = realpathSync(folderOf(t, {}));
    const archive = await part(t, "it is packed", packed);
    const installed = await part(t, "it is installed", () => layout.install(archive, folder));
    const node = await succeed(["node", "--version"], folder, installed.env);
    assert.equal(node.trim(), layout.node ?? process.version);
    const project = join(folder, "own project");
    mkdirSync(project);
    await part(t, "a project is made, checked and tested", () => makeProject(installed, project));
    await part(t, "it is served, changed and drawn", () => serveProject(t, installed, project));
    await part(t, "its threads read the package's code", () => probeThread(t, installed, project));
    // All processes of the package have a path below the folder among their arguments.
    await eventually(async () => !(await succeed(["ps", "-eo", "args"], folder)).includes(folder), "nothing runs");
  });

async function makeProject({ bulkhead, env, package: own }: Installed, project: string): Promise<void> {
  const run = (...args: readonly string[]): Promise<string> => succeed([bulkhead, ...args], project, env);
  const { version } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as { version: string };
  assert.equal(await run("--version"), `bulkhead ${version}\n`);
  assert.match(await run("init", "."), /^written +\S*routes\/hello\.yaml$/m);
  assert.match(await run("validate"), /^valid: 2 files\n/);
  assert.match(await run("test"), /^2 tests: 2 passed, 0 failed/m);
}

/** Calls flows while they change, and shows them in the designer. */
async function serveProject(t: TestContext, { bulkhead, env }: Installed, project: string): Promise<void> {
  const server = await startHttpServer(t, (_, response) => response.end("from afar"));
  const flows = kinds(server.url);
  writeFiles(join(project, "routes"), flows.files);
  const start = (args: readonly string[], more: Readonly<Record<string, string>>): Started => {
    const started = startProgram([bulkhead, ...args], { ...env, ...more }, { cwd: project });
    t.after(async () => {
      started.kill("SIGTERM");
      await started.ended;
    });
    return started;
  };
  const dev = start(["run", "--dev", "--port", "0"], { EGRESS_ALLOW: server.host });
  const said = await dev.said(/✓ +kinds +revision \d+ serves/);
  await dev.said(/✓ +hello +revision 1 serves/);
  const [url = "", token = ""] = [/^ +export BULKHEAD_URL=(\S+)$/m, /^ +export BULKHEAD_TOKEN=(\S+)$/m].map(
    (line) => line.exec(said)?.[1],
  );
  const target = { BULKHEAD_URL: url, BULKHEAD_TOKEN: token };
  const call = (...args: readonly string[]): Promise<string> =>
    succeed([bulkhead, "call", ...args], project, { ...env, ...target });
  const greeting = (): Promise<string> => call("hello", "-d", '{"name": "Ada"}');
  assert.equal((await greeting()).trim(), "Hello, Ada!");
  writeFiles(project, { "routes/hello.flow.yaml": "params: { greeting: Good morning }\n" });
  await dev.said(/✓ +hello +revision 2 serves/);
  assert.equal((await greeting()).trim(), "Good morning, Ada!");
  assert.equal((await call("kinds", "-d", flows.body)).trim(), flows.answer);

  const designer = start(["designer"], { ...target, DESIGNER_PORT: "0" });
  const page = /^designer: (\S+)$/m.exec(await designer.said(/^target default: \S+$/m))?.[1] ?? "";
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(`${page}/`)).text()) ?? [];
  assert.equal((await fetch(`${page}${script}`)).status, 200);
  const listed = (await (await fetch(`${page}/designer/flows`)).json()) as readonly { readonly id: string }[];
  assert.deepEqual(listed.map(({ id }) => id).sort(), ["hello", "kinds"]);

  designer.kill("SIGTERM");
  dev.kill("SIGINT");
  assert.deepEqual([(await designer.ended).code, (await dev.ended).code], [0, 0]);
  await assert.rejects(fetch(url), "the runtime has ended, too");
}

/**
 * Puts a module in the place of the one with which the threads of flows begin. The runtime starts it with the same rights, and it reads files
 * before it fails. The log of the runtime has what it says.
 */
async function probeThread(
  t: TestContext,
  { bulkhead, env, package: linked }: Installed,
  project: string,
): Promise<void> {
  // The rights name the folder itself, and pnpm makes a link to it.
  const own = realpathSync(linked);
  const bundles = join(own, "dist", readFileSync(join(own, "dist/current"), "utf8").trim());
  const path = join(bundles, "flow-worker.js");
  const code = [path, join(bundles, "libraries/jsonata/jsonata.js")];
  const others = [
    join(own, "package.json"),
    join(own, "bin/bulkhead.js"),
    join(project, "routes/hello.yaml"),
    join(project, ".gitignore"),
    process.execPath,
  ];
  for (const file of [...code, ...others]) assert.ok(existsSync(file), file);
  // pnpm links the file to its store.
  rmSync(path);
  writeFileSync(
    path,
    `const { readFileSync } = process.getBuiltinModule("node:fs");
    const read = (path) => { try { readFileSync(path); return "read"; } catch (error) { return error.code; } };
    throw new Error("read: " + ${JSON.stringify([...code, ...others])}.map(read).join(" ") + ".");`,
  );
  const runtime = startProgram(
    [bulkhead, "run", "--port", "0", "--data", "probed"],
    { ...env, SERVICE_DEPLOY_TOKEN: "probed" },
    { cwd: project },
  );
  t.after(() => runtime.kill("SIGKILL"));
  const [, outcomes] = /read: ([^.]*)\./.exec(await runtime.said(/read: [^.]*\./)) ?? [];
  assert.deepEqual(outcomes?.split(" "), [...code.map(() => "read"), ...others.map(() => "ERR_ACCESS_DENIED")]);
  runtime.kill("SIGTERM");
  await runtime.ended;
}
