/** What is in the archive, what it says to an old Node.js, and what `npm pack` leaves in a checkout. */
import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { copyCheckout } from "../support/checkout.ts";
import { eventually } from "../support/clock.ts";
import { startProgram } from "../support/command-line.ts";
import { folderOf } from "../support/folders.ts";
import { fromRegistry } from "../support/layouts.ts";
import { packed, succeed, userEnvironment } from "../support/packed.ts";

async function unpacked(t: TestContext): Promise<string> {
  const folder = folderOf(t, {});
  await succeed(["tar", "-xzf", await packed()], folder);
  return join(folder, "package");
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

test("the archive has bundles, pages and examples, and its package.json has neither dependencies nor anything that runs at an install", async (t) => {
  const folder = await unpacked(t);
  const top = "CHANGELOG.md LICENSE NOTICE README.md bin deploy dist docs examples package.json sbom.cdx.json";
  assert.deepEqual(readdirSync(folder).sort(), top.split(" ").sort());
  assert.deepEqual(
    globSync("**/{node_modules,code-cache,*.ts,*.tsx,*.map,binding.gyp}", { cwd: folder }).filter(
      (path) => !path.endsWith(".d.ts"),
    ),
    [],
  );
  const { engines, repository: _, ...manifest } = json(join(folder, "package.json")) as Record<string, unknown>;
  const kept = "name version description keywords license type bin exports files";
  assert.deepEqual(Object.keys(manifest).sort(), kept.split(" ").sort());
  assert.deepEqual(engines, { node: ">=24.12" });
  assert.ok(existsSync(join(folder, "dist/designer/page/index.html")));
});

interface Sbom {
  readonly specVersion: string;
  readonly components: readonly Readonly<Record<"name" | "version", string> & { group?: string; hashes?: unknown[] }>[];
}

test("the SBOM names the libraries whose code is in the bundles, and NOTICE has the license of each", async (t) => {
  const folder = await unpacked(t);
  const { specVersion, components } = json(join(folder, "sbom.cdx.json")) as Sbom;
  assert.equal(specVersion, "1.6");
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  // Of a thread, of the runtime, of the designer's server and of its page, of the client, and one that is a file.
  for (const name of [
    "jsonata",
    "undici",
    "piscina",
    "@fastify/static",
    "react-dom",
    "openapi-fetch",
    "re2js",
    "@jitl/quickjs-wasmfile-release-sync",
  ])
    assert.ok(names.includes(name), name);
  for (const name of ["typescript", "esbuild", "vite", "@biomejs/biome", "node"])
    assert.ok(!names.includes(name), name);
  const notice = readFileSync(join(folder, "NOTICE"), "utf8");
  const titles = components.map(({ version }, at) => `${names[at]} ${version} (`);
  assert.deepEqual(
    titles.filter((title) => !notice.includes(`\n${title}`)),
    [],
  );
  assert.ok(components.every(({ hashes }) => hashes?.length === 1));
});

test("an old Node.js says in one line which one is needed", async (t) => {
  const folder = await unpacked(t);
  const bin = await fromRegistry("node@20", folderOf(t, {}));
  const env = userEnvironment(bin);
  const version = (await succeed(["node", "--version"], folder, env)).trim().slice(1);
  const { code, stdout, stderr } = await startProgram(["node", "bin/bulkhead.js"], env, { cwd: folder }).ended;
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(stderr, `bulkhead needs Node.js 24.12 or later and this is ${version}: install a later Node.js\n`);
});

test("npm pack leaves the checkout as it was, and so does one that was killed while the other package.json was there", async (t) => {
  const made = (folder: string): readonly string[] =>
    ["package.checkout.json", "NOTICE", "sbom.cdx.json"].filter((name) => existsSync(join(folder, name)));
  const folder = folderOf(t, {});
  copyCheckout(folder);
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  const beside = dirname(await packed());
  assert.equal(readFileSync(join(beside, "package.json"), "utf8"), manifest);
  assert.deepEqual(made(beside), []);

  const npm = startProgram(["npm", "pack"], userEnvironment(), { cwd: folder });
  t.after(() => npm.kill("SIGKILL"));
  const isAside = (): boolean => readFileSync(join(folder, "package.json"), "utf8") !== manifest;
  // It makes all bundles before.
  await eventually(
    () => existsSync(join(folder, "package.checkout.json")) && existsSync(join(folder, "package.json")) && isAside(),
    "the other package.json",
    600_000,
  );
  npm.kill("SIGKILL");
  assert.equal((await npm.ended).code, null);
  await eventually(() => made(folder).length === 0 && !isAside(), "the checkout is restored");
});
