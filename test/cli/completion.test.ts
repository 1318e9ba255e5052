/** The scripts that complete commands, run by the shells that are there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { bulkhead } from "../support/command-line.ts";

function isThere(shell: string): boolean {
  return spawnSync(shell, ["--version"]).error === undefined;
}

test("bash completes commands, kinds and options where they may stand", async (t) => {
  if (!isThere("bash")) return t.skip("there is no bash");
  const { stdout: script } = await bulkhead(["completion", "bash"]);
  const completed = (...words: readonly string[]): string[] => {
    const set = `COMP_WORDS=(bulkhead ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}`;
    const { stdout, stderr } = spawnSync(
      "bash",
      ["-c", `${script}\n${set}; _bulkhead; printf '%s\\n' "\${COMPREPLY[@]}"`],
      {
        encoding: "utf8",
      },
    );
    assert.equal(stderr, "");
    return stdout.split("\n").filter((word) => word !== "");
  };
  assert.deepEqual(completed("comp"), ["completion"]);
  assert.deepEqual(completed("completion", ""), ["bash", "zsh", "fish", "--help"]);
  assert.deepEqual(completed("list", "fl"), ["flows"]);
  assert.deepEqual(completed("list", "flows", "--j"), ["--json"]);
  assert.deepEqual(completed("get", "flows", "orders.y"), []);
});

for (const shell of ["zsh", "fish"] as const) {
  test(`the script for ${shell} names every place`, async (t) => {
    const { stdout, code } = await bulkhead(["completion", shell]);
    assert.equal(code, 0);
    for (const word of [" completion", "value-mappings", "--profile"]) assert.ok(stdout.includes(word), word);
    if (!isThere(shell)) return t.skip(`there is no ${shell}`);
    const { status, stderr } = spawnSync(shell, ["-n"], { input: stdout, encoding: "utf8" });
    assert.deepEqual([status, stderr], [0, ""]);
  });
}
