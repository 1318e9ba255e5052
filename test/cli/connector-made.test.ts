/** Connectors that `connector new` makes: they compile, are formatted as all code is, keep the laws and pass their tests, in a checkout of their own. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { copyCheckout } from "../support/checkout.ts";
import { bulkhead } from "../support/command-line.ts";
import { folderOf } from "../support/folders.ts";

/** The shortest name that there may be, and the longest: lines are broken by their length. */
const names = ["qx", "message-board-of-a-plant"] as const;

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
  const folder = folderOf(t, {});
  copyCheckout(folder);
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
