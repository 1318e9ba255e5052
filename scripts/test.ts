/**
 * Runs the tests: files that can live side by side share a process, since to load the runtime and to boot its check
 * threads costs more than most of their tests do. The output of each process is printed at its end.
 * A run of many files first makes the bundles anew if a source is newer: a thread boots from them in a fraction of the time.
 *
 * `npm test` leaves out the files of test/slow.ts, which `npm run test:all` runs, too, and `npm run test:slow` alone.
 * `npm test -- test/control/flows.test.ts` runs single files; `npm test -- --backwards` turns the order within the
 * processes round, which shows whether a file leans on what another has left behind.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { alone } from "../test/alone.ts";
import { slow } from "../test/slow.ts";
import { TestRun } from "./test-run.ts";

const root = resolve(import.meta.dirname, "..");
const gathered = resolve(root, "node_modules", ".cache", "tests");
/** Files of a process: few enough that all processors have something to do to the end. */
const together = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backwards: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    slow: { type: "boolean", default: false },
  },
});
const named = positionals.length > 0;
const files = globSync(named ? positionals : "test/**/*.test.ts", { cwd: root })
  .filter((file) => named || values.all || (slow[file] !== undefined) === values.slow)
  .sort();
const absent = [...positionals, ...Object.keys(alone), ...Object.keys(slow)].filter(
  (file) => globSync(file, { cwd: root }).length === 0,
);
if (absent.length > 0) throw new Error(`There is no ${absent.join(", ")}`);

if (files.length > together) await refreshBundles();
const testRun = new TestRun(root);
const groups = gather(files.filter((file) => alone[file] === undefined));
const broken = await testRun.run([...files.filter((file) => alone[file] !== undefined), ...groups.keys()]);
// A file that ends its process, or keeps it from ending, must not hide the others, and has to be found.
await testRun.run(broken.flatMap((module) => groups.get(module) ?? []));
testRun.summarise();

/** Does what `npm ci` does at its end, unless that is newer than all sources. */
async function refreshBundles(): Promise<void> {
  const { freshest } = (await import(new URL("../bin/entry.js", import.meta.url).href)) as { freshest(): string };
  if (freshest().endsWith(".js")) return;
  const { status } = spawnSync("npm", ["run", "--silent", "prepare"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("The bundles could not be made: npm run prepare");
}

/** @returns modules that import some test files each -> these files */
function gather(all: readonly string[]): Map<string, readonly string[]> {
  rmSync(gathered, { recursive: true, force: true });
  mkdirSync(gathered, { recursive: true });
  const modules = new Map<string, readonly string[]>();
  for (let from = 0; from < all.length; from += together) {
    const members = all.slice(from, from + together);
    if (values.backwards) members.reverse();
    const module = resolve(gathered, `${from}-${basename(members[0] as string, ".test.ts")}.mjs`);
    writeFileSync(module, members.map((file) => `import "${pathToFileURL(resolve(root, file))}";\n`).join(""));
    modules.set(module, members);
  }
  return modules;
}
