/** Shells on a terminal, in which a person types the beginnings of words and the tab key. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { eventually } from "./clock.ts";
import { folderOf } from "./folders.ts";
import { noTerminal } from "./pseudo-terminal.ts";

export type Shell = "bash" | "zsh" | "fish";

const entry = resolve(import.meta.dirname, "../../bin/bulkhead.js");

/** How each is started, without files of the person, and reads its script. */
const ways: Readonly<Record<Shell, { readonly start: string; readonly read: string }>> = {
  bash: { start: "bash --norc --noprofile -i", read: "source <(bulkhead completion bash)" },
  zsh: { start: "zsh -f -i", read: "autoload -U compinit; compinit -D -u; source <(bulkhead completion zsh)" },
  fish: { start: "fish --no-config -i", read: "bulkhead completion fish | source" },
};

/** What is typed, and the arguments that the command gets then. */
const typed: readonly (readonly [line: string, args: string])[] = [
  ["comp\t bash", "completion bash"],
  ["list fl\t", "list flows"],
  ["list flows --j\t", "list flows --json"],
  ["logs --level W\t", "logs --level WARN"],
  ["logs --level=W\t", "logs --level=WARN"],
  ["validate order\t", "validate orders of today.yaml"],
  ["call orders --file order\t", "call orders --file orders of today.yaml"],
];

/** Why a test cannot use the shell; false: it can. */
export function shellThere(shell: Shell): string | false {
  return spawnSync(shell, ["--version"]).error === undefined ? noTerminal() : `there is no ${shell}`;
}

/** Types each line, and compares what `bulkhead` is called with: a program that writes its arguments down, and asks bulkhead for completions. */
export async function completesLikeAPerson(t: TestContext, shell: Shell): Promise<void> {
  const folder = folderOf(t, {
    "orders of today.yaml": "",
    "bin/bulkhead": `#!/bin/sh\nif [ "$2" = words ] || [ -z "$TYPED" ]; then exec '${process.execPath}' '${entry}' "$@"; fi\necho "$*" >> "$TYPED"\n`,
  });
  chmodSync(join(folder, "bin/bulkhead"), 0o755);
  const { start, read } = ways[shell];
  const child = spawn("script", ["-qefc", `stty cols 200 rows 40; exec ${start}`, "/dev/null"], {
    cwd: folder,
    env: { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, HOME: folder, TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  t.after(() => child.kill("SIGKILL"));
  const seen = join(folder, "typed");
  // A line counts when it is whole: the shell opens the file before it writes.
  const calls = (): string[] => (existsSync(seen) ? readFileSync(seen, "utf8").split("\n").slice(0, -1) : []);
  child.stdin.write(`${read}\n${shell === "fish" ? `set -x TYPED ${seen}` : `export TYPED=${seen}`}\n`);
  for (const [count, [line, args]] of typed.entries()) {
    child.stdin.write(`bulkhead ${line}\r`);
    await eventually(() => calls().length > count, `${shell} calls bulkhead ${args}`).catch((error: Error) => {
      throw new Error(`${error.message}: ${output}`);
    });
    assert.equal(calls().at(-1), args, output);
  }
}
