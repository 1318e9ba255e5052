/**
 * Runs test files: those that can live side by side share a process, since to load the runtime and to boot its check
 * threads costs more than most of their tests do. The output of each process is printed at its end.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { alone } from "../test/alone.ts";
import { TestRun } from "./test-run.ts";

/**
 * Processes for the files that share one: enough that all processors have something to do to the end. Each takes two seconds of CPU time to load
 * the runtime and to boot its first threads, so more of them cost more.
 */
const groupCount = 12;

export interface GatheredTests {
  readonly files: readonly string[];
  readonly root: string;
  /** Turns the order of the files within their processes round. */
  readonly backwards?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

/** Prints the reports, the counts and the failures. Resolves with true when all tests have passed. */
export async function runGathered({ files, root, backwards = false, env }: GatheredTests): Promise<boolean> {
  const testRun = new TestRun(root, env);
  const groups = gather(
    files.filter((file) => alone[file] === undefined),
    root,
    backwards,
  );
  const broken = await testRun.run([...files.filter((file) => alone[file] !== undefined), ...groups.keys()]);
  // A file that ends its process, or keeps it from ending, must not hide the others, and has to be found.
  await testRun.run(broken.flatMap((module) => groups.get(module) ?? []));
  return testRun.summarise();
}

/** @returns modules that import some test files each -> these files */
function gather(all: readonly string[], root: string, backwards: boolean): Map<string, readonly string[]> {
  const gathered = resolve(root, "node_modules", ".cache", "tests");
  rmSync(gathered, { recursive: true, force: true });
  mkdirSync(gathered, { recursive: true });
  const modules = new Map<string, readonly string[]>();
  const together = Math.ceil(all.length / groupCount);
  for (let from = 0; from < all.length; from += together) {
    const members = all.slice(from, from + together);
    if (backwards) members.reverse();
    const module = resolve(gathered, `${from}-${basename(members[0] as string, ".test.ts")}.mjs`);
    writeFileSync(module, members.map((file) => `import "${pathToFileURL(resolve(root, file))}";\n`).join(""));
    modules.set(module, members);
  }
  return modules;
}
