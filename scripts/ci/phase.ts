/** One part of a check: a command, what it prints, how long it takes, and the CPU time of all its processes. */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Phase {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export interface PhaseResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** Of the command and of every process that was waited for below it; servers that leave their parent are not in it. */
  readonly cpuSeconds: number;
  /** What it printed; "" when it was printed at once. */
  readonly output: string;
}

/** bash knows the CPU time of the processes that it has waited for, which Node does not. */
const timed = '"$@" 3>&-; status=$?; times >&3; exit $status';

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** `isShown`: what the command prints is printed at once, in place of being collected. */
export async function runPhase(
  { name, command, env = {} }: Phase,
  root: string,
  isShown: boolean,
): Promise<PhaseResult> {
  const startedAt = performance.now();
  const out = isShown ? "inherit" : "pipe";
  const child = spawn("bash", ["-c", timed, "phase", ...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", out, out, "pipe"],
    // A group of its own: when this process is ended, all that the command has started ends, too.
    detached: true,
  });
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid);
  };
  process.once("exit", stop);
  const ended = Promise.withResolvers<boolean>();
  child.once("error", ended.reject);
  child.once("close", (code) => ended.resolve(code === 0));
  const printed = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)));
  const times = text(child.stdio[3] as Readable);
  const passed = await ended.promise;
  process.removeListener("exit", stop);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name,
    passed,
    seconds,
    cpuSeconds: cpuSecondsOf(await times),
    output: (await Promise.all(printed)).join(""),
  };
}

/** `times` prints user and system time of the shell, and on the second line those of its children: `1m2.345s 0m0.100s`. */
function cpuSecondsOf(times: string): number {
  const [, children = ""] = times.split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds))
    .reduce((sum, one) => sum + one, 0);
}
