/**
 * Runs browser test files, many in a process, since each process starts a Chromium and the runtime's check threads. A file
 * that fails is run once more behind all others, in a process of its own. Each such retry is counted and named in the last
 * lines. With NO_RETRIES=1 nothing is run again.
 */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { noteFigure } from "../test/support/figures.ts";

export interface BrowserFiles {
  readonly files: readonly string[];
  /** Names of tests; present: the others of the files are left out. */
  readonly only?: readonly string[];
  /** Processes that run side by side; what one prints is then printed when it has ended. */
  readonly lanes: number;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

const together = "test/designer/browser/support/together.ts";
/** A process that reports no test for this long hangs: it is ended. Not a limit of its whole time, since a busy machine makes that long. */
const mostSilentMs = 10 * 60_000;

/** Resolves with true when each file has passed, and each test of `only` was there. */
export async function runBrowserFiles({ files, only = [], lanes, root, env }: BrowserFiles): Promise<boolean> {
  const began = performance.now();
  const names = only.map((name) => RegExp.escape(name)).join("|");
  // The root of all tests and the files are tests, too, and stay; a name is matched alone, and behind that of its file.
  const flags = only.length > 0 ? [`--test-skip-pattern=/^(?!(?:<root>|\\S+|(?:\\S+ )?(?:${names}))$)./`] : [];
  const seen = new Set<string>();
  /** @returns the files that have not passed */
  const run = async (some: readonly string[], isAlone: boolean): Promise<readonly string[]> => {
    const { code, output } = await runProcess([...flags, together, ...some], { root, env, isAlone });
    for (const [, name = ""] of output.matchAll(/^ +✔ (.*) \([\d.]+ms\)$/gm)) seen.add(name);
    const failing = some.filter((file) => !output.includes(`\n✔ ${file} (`) && !output.startsWith(`✔ ${file} (`));
    return code !== 0 && failing.length === 0 ? some : failing;
  };
  const failing = (await Promise.all(inLanes(files, lanes, root).map((some) => run(some, lanes === 1)))).flat();
  const again = process.env["NO_RETRIES"] === "1" ? [] : failing;
  if (again.length > 0) process.stdout.write(`\nOnce more, after a failure: ${again.join(", ")}\n\n`);
  const steady: string[] = [];
  for (const file of again) if ((await run([file], true)).length === 0) steady.push(file);
  const failed = failing.filter((file) => !steady.includes(file));
  const absent = only.filter((name) => !seen.has(name));
  const lines = [
    `${files.length} test files, ${failed.length} failed, ${seen.size} tests passed, ${seconds(began)} s`,
    `retries: ${again.length}`,
    ...(steady.length > 0 ? [`unsteady, failed at first and then passed: ${steady.join(", ")}`] : []),
    ...(failed.length > 0 ? [`failed${again.length > 0 ? " twice" : ""}: ${failed.join(", ")}`] : []),
    ...(absent.length > 0 ? [`chosen, and not passed: ${absent.join(" | ")}`] : []),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  noteFigure("tests", seen.size);
  noteFigure("retries", again.length);
  return failed.length === 0 && absent.length === 0;
}

/** Shares files out so that all lanes have about as much: a longer file takes longer. */
function inLanes(files: readonly string[], count: number, root: string): readonly (readonly string[])[] {
  const lanes = Array.from({ length: count }, () => ({ bytes: 0, files: [] as string[] }));
  const sized = files.map((file) => ({ file, bytes: statSync(resolve(root, file)).size }));
  for (const { file, bytes } of sized.sort((one, other) => other.bytes - one.bytes)) {
    const lane = lanes.reduce((least, one) => (one.bytes < least.bytes ? one : least));
    lane.bytes += bytes;
    lane.files.push(file);
  }
  return lanes.map((lane) => lane.files.sort()).filter((some) => some.length > 0);
}

interface Surroundings {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** It prints while it runs. */
  readonly isAlone: boolean;
}

async function runProcess(args: readonly string[], { root, env, isAlone }: Surroundings) {
  const began = performance.now();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--test-reporter=spec", ...args], {
    ...{ cwd: root, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const hangs = setTimeout(() => child.kill("SIGKILL"), mostSilentMs);
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
    hangs.refresh();
    if (isAlone) process.stdout.write(part);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child.on("error", reject);
  child.on("close", (code, signal) => resolve(code ?? signal));
  const code = await promise;
  clearTimeout(hangs);
  if (!isAlone) process.stdout.write(output);
  process.stdout.write(`ended with ${code} after ${seconds(began)} s\n`);
  return { code, output };
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}
