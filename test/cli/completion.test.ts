/** Completion: what may stand at a place, and the scripts for shells, run by the shells that are there; test/servers/shells installs the others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bulkhead, bulkheadProcess } from "../support/command-line.ts";
import { completesLikeAPerson, shellThere } from "../support/completing-shells.ts";

/** The words without what they are, and `:files`. */
async function completed(...words: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await bulkhead(["completion", "words", "--", ...words]);
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

test("commands, kinds, options, values of options and files are completed where they may stand", async () => {
  assert.deepEqual(await completed("comp"), ["completion"]);
  assert.deepEqual(await completed("completion", ""), ["bash", "zsh", "fish", "words"]);
  assert.deepEqual(await completed("list", "fl"), ["flows"]);
  assert.deepEqual(await completed("list", "--profile", "x", "flows", "--j"), ["--json"]);
  assert.deepEqual(await completed("get", "flows", "orders"), []);
  assert.deepEqual(await completed("logs", "--level", "W"), ["WARN"]);
  assert.deepEqual(await completed("logs", "--level=W"), ["--level=WARN"]);
  assert.deepEqual(await completed("logs", "--level", "=", "W"), ["WARN"]);
  assert.deepEqual(await completed("logs", "--level", "="), ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"]);
  assert.deepEqual(await completed("logs", "--run", ""), []);
  assert.deepEqual(await completed("validate", "rou"), [":files"]);
  assert.deepEqual(await completed("validate", "a.yaml", ""), [":files"]);
  assert.deepEqual(await completed("call", "orders", "--file", ""), [":files"]);
  assert.deepEqual(await completed("audit", ""), ["verify"]);
  assert.deepEqual(await completed("audit", "verify", ""), [":files"]);
});

test("the options of commands that the runtime's own code reads are those of their help", async () => {
  for (const word of ["run", "start", "restore", "test"]) {
    const { stdout } = await bulkheadProcess([word, "--help"]);
    const named = [...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option = ""]) => option);
    assert.ok(named.length > 1, stdout);
    assert.deepEqual((await completed(word, "--")).sort(), [...new Set([...named, "--help"])].sort(), word);
  }
});

for (const shell of ["bash", "zsh", "fish"] as const)
  test(`${shell} completes with its script`, { skip: shellThere(shell) }, (t) => completesLikeAPerson(t, shell));
