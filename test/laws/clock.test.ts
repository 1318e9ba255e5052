/** Tests take time from test/support/clock.ts alone, where one sees what a test waits for. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../..");

/** Files that have timers of their own, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "test/support/clock.ts": "the clock",
  "test/support/busy-worker.ts": "a hostile thread: its timers are what is tested",
  "test/support/dying-worker.ts": "a hostile thread: its timers are what is tested",
  "test/support/hostile-worker.ts": "a hostile thread: its timers are what is tested",
  "test/support/reaching-worker.ts": "a hostile thread: its timers are what is tested",
  "test/support/silent-worker.ts": "a hostile thread: its timers are what is tested",
  "test/designer/browser/support/clock.ts": "drives the clock of the page",
  "test/designer/browser/support/settled.ts": "a timer inside of the page, which ends when it has drawn",
  "test/laws/clock.test.ts": "the law's own pattern",
  "test/control/child-deadlines.test.ts": "drives the process's own clock",
};

/** Imports and globals that give time, or wait for it. */
const sources =
  /node:timers|(?<![.\w])(?:setTimeout|setInterval|setImmediate|clearTimeout|clearInterval)\b|\bperformance\.now\b|\bDate\.now\b|\bnew Date\(\)|\bAbortSignal\.timeout\b|\bhrtime\b|\bTemporal\.Now\b/g;

test("tests take time from test/support/clock.ts alone", () => {
  const files = globSync("test/**/*.ts", { cwd: root }).filter((file) => exceptions[file] === undefined);
  const found = files.flatMap((file) => {
    const uses = usesOf(readFileSync(resolve(root, file), "utf8"));
    return uses.length === 0 ? [] : [`${file}: ${uses.join(", ")}`];
  });
  assert.deepEqual(found, []);
});

test("each exception is a file that needs to be one", () => {
  for (const file of Object.keys(exceptions))
    assert.notDeepEqual(usesOf(readFileSync(resolve(root, file), "utf8")), [], file);
});

for (const [text, uses] of [
  ['import { setTimeout as sleep } from "node:timers/promises";', ["setTimeout", "node:timers"]],
  ["const began = performance.now();", ["performance.now"]],
  ["await new Promise((resolve) => setTimeout(resolve, 10));", ["setTimeout"]],
  ["const at = Date.now();", ["Date.now"]],
  ["signal: AbortSignal.timeout(5)", ["AbortSignal.timeout"]],
  ["socket.setTimeout(1000);", []],
  ["t.mock.timers.enable();", []],
  ['const code = "setTimeout(() => {}, 5)";', []],
  ["// setTimeout is not used", []],
  ["import { pause } from '../support/clock.ts';", []],
] as const) {
  test(`the law finds ${uses.length === 0 ? "nothing" : uses.join(", ")} in: ${text}`, () => {
    assert.deepEqual(usesOf(text), uses);
  });
}

/** Comments and texts are left out: a text may be the code of another process. */
function usesOf(source: string): readonly string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "")
    .replace(/(?<!from )"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '""');
  return [...new Set([...code.matchAll(sources)].map(([use]) => use))];
}
