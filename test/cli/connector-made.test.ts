/** Connectors that `connector new` makes: they compile, are formatted as all code is, keep the laws and pass their tests, in a checkout of their own. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bulkhead } from "../support/command-line.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What is not part of a checkout, or is linked to. */
const others = /^(?:\.git|coverage|data|dist|node_modules|designer\/(?:dist|node_modules))$/;

/** The shortest name that there may be, and the longest: lines are broken by their length. */
const names = ["qx", "message-board-of-a-plant"] as const;

function checkout(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "bulkhead-checkout-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(root, folder, { recursive: true, filter: (path) => !others.test(relative(root, path)) });
  for (const modules of ["node_modules", "designer/node_modules"])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(folder, modules));
  return folder;
}

/** Runs a program in the checkout, and fails with its output when it ends with anything but 0. */
async function run(folder: string, program: string, ...args: readonly string[]): Promise<void> {
  // Otherwise tests take themselves for those of this file.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  assert.equal(code, 0, `${program} ${args.join(" ")}\n${Buffer.concat(output).toString()}`);
}

test("connectors with a short and a long name compile, keep the laws and the format, have all their docs, and pass their tests", async (t) => {
  const folder = checkout(t);
  for (const name of names) {
    const made = await bulkhead(["connector", "new", name, "--in", folder]);
    assert.equal(made.code, 0, made.stderr);
  }
  const node = (...args: readonly string[]): Promise<void> =>
    run(folder, process.execPath, "--disable-warning=ExperimentalWarning", ...args);
  const bin = (name: string, ...args: readonly string[]): Promise<void> => node(`node_modules/.bin/${name}`, ...args);
  // The linter reads the template itself, of which other names make nothing else.
  await t.test("the formatter", () => bin("biome", "check", "--linter-enabled=false", "src", "test"));
  await t.test("the compiler", () => bin("tsc", "-p", "."));
  await t.test("nothing is unused", () => bin("knip"));
  await t.test("the docs follow from the code", () => run(folder, "npm", "run", "--silent", "docs"));
  const common = ["test/laws/laws.test.ts", "test/docs.test.ts", "test/catalog.test.ts", "test/option-words.test.ts"];
  const own = names.flatMap((name) =>
    ["", "-messages"].map((part) => `test/control/connections/${name}${part}.test.ts`),
  );
  for (const file of [...common, ...own]) await t.test(file, () => node("--test", file));
});
