/** The package as npm packs it, in a project of its own: programs in JavaScript and TypeScript use its client. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { root } from "../support/checkout.ts";
import { folderOf } from "../support/folders.ts";
import { packed } from "../support/packed.ts";
import { token } from "../support/start-app.ts";
import { startProcess } from "../support/start-process.ts";

const run = promisify(execFile);
const node = (args: readonly string[], options: object) => run(process.execPath, args, options);
const tsc = join(root, "node_modules/typescript/bin/tsc");

/** A project with the package in its node_modules, the types of Node.js, and nothing else of this repository. */
async function project(t: TestContext): Promise<string> {
  const directory = folderOf(t, { "package.json": '{"type": "module"}' });
  const modules = join(directory, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  await run("tar", ["-xzf", await packed(), "-C", modules]);
  renameSync(join(modules, "package"), join(modules, "bulkhead"));
  return directory;
}

test("a packed package brings a client for JavaScript, TypeScript and browsers; the examples of docs/client.md run", async (t) => {
  const directory = await project(t);
  const { url } = await startProcess(t, { SERVICE_DEPLOY_TOKEN: token });
  const env = { PATH: process.env["PATH"], BULKHEAD_URL: url, BULKHEAD_TOKEN: token };

  await t.test("plain JavaScript", async () => {
    const program = `
      import { ApiError, createClient } from "bulkhead/client";
      const { data, error } = await createClient({ url: process.env.BULKHEAD_URL, token: "wrong" }).GET("/_api/flows");
      console.log(data, error instanceof ApiError, error.code);`;
    writeFileSync(join(directory, "plain.mjs"), program);
    const { stdout } = await node(["plain.mjs"], { cwd: directory, env });
    assert.equal(stdout, "undefined true unauthorized\n");
  });

  const page = readFileSync(join(root, "docs/client.md"), "utf8");
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  assert.ok(examples.length >= 7);
  writeFileSync(join(directory, "examples.ts"), examples.join("\n"));

  await t.test("the examples", async () => {
    const { stdout, stderr } = await node(["examples.ts"], { cwd: directory, env, timeout: 60_000 });
    assert.equal(stderr.replaceAll(/^.*(?:Warning|--trace-warnings).*\n/gm, ""), "");
    assert.deepEqual(
      stdout.split("\n").filter((line) => !/^(?:INFO )/.test(line)),
      [...["revision 1: greet", "true", "there is no such revision", "1", "Hello Ada!"], ""],
    );
    assert.match(stdout, /^INFO greeting Ada$/m);
  });

  await t.test("their types, and that what is wrong is refused", async () => {
    const options = { strict: true, exactOptionalPropertyTypes: true, module: "nodenext", target: "esnext" };
    const compilerOptions = { ...options, lib: ["esnext"], types: ["node"], noEmit: true, skipLibCheck: false };
    writeFileSync(
      join(directory, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["examples.ts", "wrong.ts"] }),
    );
    const wrong = [
      'await bulkhead.GET("/_api/flow");',
      'await bulkhead.GET("/_api/flows/{id}", { params: { path: { id: 1 } } });',
      'await bulkhead.PUT("/_api/flows/{id}", { params: { path: { id: "a" } } });',
      'await bulkhead.GET("/_api/trace/stream", {});',
      'if ((await bulkhead.GET("/_api/flows")).error?.code === "flow_invalid") throw 1;',
      'export const id: number = (await bulkhead.GET("/_api/flows")).data?.[0]?.id ?? 1;',
      'bulkhead.trace({ flow: "a" });',
    ];
    const lines = wrong.map((line) => `// @ts-expect-error\n${line}\n`);
    const head =
      'import { createClient } from "bulkhead/client";\nconst bulkhead = createClient({ url: "http://a" });\n';
    writeFileSync(join(directory, "wrong.ts"), head + lines.join(""));
    const { stdout } = await node([tsc, "-p", "."], { cwd: directory }).catch((error: { stdout: string }) => error);
    assert.equal(stdout, "");
  });

  await t.test("a bundle for browsers needs nothing of Node.js", async () => {
    const entry = { contents: 'export * from "bulkhead/client";', resolveDir: directory };
    const { errors, warnings, outputFiles } = await build({
      ...{ stdin: entry, bundle: true, platform: "browser", format: "esm", write: false, minify: true },
      logLevel: "silent",
    });
    assert.deepEqual([errors, warnings], [[], []]);
    const bytes = outputFiles?.[0]?.contents.length ?? 0;
    assert.ok(bytes < 24_000, `${bytes} bytes`);
  });
});
