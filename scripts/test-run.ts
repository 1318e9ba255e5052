/** Processes that run tests, a few at a time; their reports are printed one after another, their counts are added up. */
import { spawn } from "node:child_process";
import { relative } from "node:path";

const processes = 3;
/** A process that reports no test for this long hangs: it is ended. Not a limit of its whole time, since a busy machine makes that long. */
const mostSilentMs = 180_000;
const counts = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;
const failures = "✖ failing tests:";

export class TestRun {
  readonly #totals = new Map<string, number>(counts.map((name) => [name, 0]));
  /** The failures, which are printed once more at the end. */
  readonly #failed: string[] = [];
  readonly #began = performance.now();
  readonly #stop = new AbortController();
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(root: string, env: NodeJS.ProcessEnv = process.env) {
    this.#root = root;
    this.#env = env;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        this.#stop.abort();
        process.exit(1);
      });
    }
  }

  /** @returns modules whose process did not get to its end: it died, hung or kept something open */
  async run(modules: readonly string[]): Promise<string[]> {
    const waiting = [...modules];
    const broken: string[] = [];
    const lane = async (): Promise<void> => {
      for (let module = waiting.shift(); module !== undefined; module = waiting.shift()) {
        if (!(await this.#runOne(module))) broken.push(module);
      }
    };
    await Promise.all(Array.from({ length: processes }, lane));
    return broken;
  }

  /** Prints the counts and the failures. Returns true when there are none of these. */
  summarise(): boolean {
    const duration = `ℹ duration_ms ${Math.round(performance.now() - this.#began)}\n`;
    const lines = [...this.#totals].map(([name, count]) => `ℹ ${name} ${count}\n`);
    const again = this.#failed.length > 0 ? `\n${failures}\n${this.#failed.join("")}` : "";
    process.stdout.write(`\n${lines.join("")}${duration}${again}`);
    return this.#failed.length === 0;
  }

  async #runOne(module: string): Promise<boolean> {
    const { text, ended } = await this.#output(module);
    const summary = text.lastIndexOf("\nℹ tests ");
    const whole = summary >= 0 && (ended === "0" || ended === "1");
    const output = summary < 0 ? text : text.slice(0, summary + 1);
    process.stdout.write(output);
    for (const name of counts) {
      const count = Number(new RegExp(`^ℹ ${name} (\\d+)$`, "m").exec(text.slice(output.length))?.[1] ?? 0);
      this.#totals.set(name, (this.#totals.get(name) ?? 0) + count);
    }
    if (whole && ended === "0") return true;
    const [, found = ""] = text.split(failures);
    const how = whole ? "" : `, before its tests had ended; the end of its output:\n${output.slice(-500)}`;
    this.#failed.push(`\n${relative(this.#root, module)} ended with ${ended}${how}\n${found}`);
    return whole;
  }

  /** `ended`: the exit code, or the signal. */
  #output(module: string): Promise<{ readonly text: string; readonly ended: string }> {
    const child = spawn(process.execPath, [...process.execArgv, "--test-reporter=spec", module], {
      cwd: this.#root,
      env: this.#env,
      signal: this.#stop.signal,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    const hangs = setTimeout(() => child.kill("SIGKILL"), mostSilentMs);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        hangs.refresh();
      });
    }
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        clearTimeout(hangs);
        resolve({ text, ended: String(code ?? signal) });
      });
    });
  }
}
