/**
 * The tutorial docs/first-hour.md, command by command as its reader runs them. A block `yaml` with a path is a file that is written. A block
 * `console` has commands behind `$ ` and what they print; without a command it is what a runtime or a follower that was started before prints next.
 * In what is printed `…` stands for anything, and times, ids, tokens and sizes may differ.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "../support/clock.ts";
import { folderOf } from "../support/folders.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/first-hour.md"), "utf8");

/** Ids of runs and of failed messages. */
const id = /\b[0-9a-z]{8}-[0-9a-f]{16}(?:-[0-9a-f]{8})?\b/g;

const varying: readonly (readonly [RegExp, string])[] = [
  [id, "ID"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"],
  [/\b\d\d:\d\d:\d\d\b/g, "TIME"],
  [/\b[0-9a-f]{32}\b/g, "TRACE"],
  [/\b[\d.]+ (?:ms|s|B|[KMG]iB)(?=\W|$)/g, "SIZE"],
  [/(?<=BULKHEAD_TOKEN=)\S+/g, "TOKEN"],
  [/127\.0\.0\.1:\d+/g, "ADDRESS"],
  [/ +/g, " "],
];

function plain(line: string): string {
  return varying.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line).trim();
}

/** Whether the line is printed as the page has it. */
function fits(line: string, written: string): boolean {
  const parts = plain(written).split("…");
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".*")}$`).test(plain(line));
}

/** A command that goes on while others are run. */
class Background {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #lines: string[] = [""];

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close");
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        const [first = "", ...more] = text.split("\n");
        this.#lines = [...this.#lines.slice(0, -1), `${this.#lines.at(-1) ?? ""}${first}`, ...more];
      });
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Resolves with the lines in which what is written has come, and goes on behind them. */
  async prints(written: readonly string[]): Promise<readonly string[]> {
    const found = (): readonly string[] | undefined => {
      const lines: string[] = [];
      let at = 0;
      for (const line of written) {
        at = this.#lines.findIndex((one, index) => index >= at && fits(one, line)) + 1;
        if (at === 0) return undefined;
        lines.push(this.#lines[at - 1] ?? "");
      }
      this.#lines = this.#lines.slice(at);
      return lines;
    };
    try {
      return await eventually(found, "it prints what is written", 30_000);
    } catch {
      return assert.fail(`it has not printed\n${written.join("\n")}\nbut\n${this.#lines.join("\n")}`);
    }
  }

  async end(): Promise<void> {
    this.#child.kill("SIGINT");
    await this.#ended;
  }
}

/** The reader's terminals: one folder, one environment, and what was started in them. */
class Reader {
  readonly #bin: string;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #ids = new Map<string, string>();
  readonly #background: Background[] = [];
  #env: Record<string, string> = {};
  #folder: string;

  constructor(folder: string, bin: string, ports: ReadonlyMap<string, number>) {
    this.#folder = folder;
    this.#bin = bin;
    this.#ports = ports;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    writeFileSync(join(this.#folder, path), text);
  }

  async does(command: string, printed: readonly string[]): Promise<void> {
    const line = this.#own(command);
    const [, folder] = /^cd (\S+)$/.exec(line) ?? [];
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
    if (folder !== undefined) this.#folder = join(this.#folder, folder);
    else if (name !== undefined && value !== undefined) this.#env[name] = value;
    else if (/bulkhead (?:run|logs|trace)\b/.test(line)) await this.#begins(line, printed);
    else await this.#runs(line, printed);
  }

  /** What the command prints that was started last. */
  async sees(printed: readonly string[]): Promise<void> {
    const last = this.#background.at(-1);
    assert.ok(last, "nothing was started");
    this.#learn(printed, await last.prints(printed));
  }

  async ends(): Promise<void> {
    await Promise.all(this.#background.map((one) => one.end()));
  }

  async #begins(line: string, printed: readonly string[]): Promise<void> {
    const started = new Background(this.#shell(line));
    this.#background.push(started);
    this.#learn(printed, await started.prints(printed));
  }

  async #runs(line: string, printed: readonly string[]): Promise<void> {
    let lines = await this.#linesOf(line);
    const same = (): boolean =>
      lines.length === printed.length && lines.every((one, at) => fits(one, printed[at] ?? ""));
    // What a run leaves behind comes when it is over: a reader would look again.
    if (/^cat |^bulkhead (?:runs show|failed$)/.test(line))
      await eventually(async () => same() || ((lines = await this.#linesOf(line)), same()), line, 20_000).catch(
        () => {},
      );
    if (!same()) assert.equal(`$ ${line}\n${lines.join("\n")}`, `$ ${line}\n${printed.join("\n")}`);
    this.#learn(printed, lines);
  }

  async #linesOf(line: string): Promise<readonly string[]> {
    const child = this.#shell(line);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    await once(child, "close");
    return output.replace(/\n$/, "").split("\n");
  }

  #shell(line: string): ChildProcess {
    // The first runtime is where commands look for one, on the page.
    const url = /bulkhead (?:run|test)\b/.test(line) ? {} : { BULKHEAD_URL: `http://127.0.0.1:${this.#port("8080")}` };
    return spawn("/bin/sh", ["-c", `exec ${line}`], {
      cwd: this.#folder,
      env: { PATH: `${this.#bin}:/usr/bin:/bin`, HOME: this.#folder, PORT: this.#port("8080"), ...this.#env, ...url },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  #port(port: string): string {
    return String(this.#ports.get(port));
  }

  /** The command with the ports and ids of this run in place of those of the page. */
  #own(command: string): string {
    return command
      .replaceAll(/\b808\d\b/g, (port) => this.#port(port))
      .replaceAll(/\S+/g, (word) => this.#ids.get(word) ?? word);
  }

  #learn(written: readonly string[], lines: readonly string[]): void {
    for (const [at, line] of lines.entries()) {
      const own = line.match(id) ?? [];
      for (const [index, one] of (written[at]?.match(id) ?? []).entries())
        if (own[index] !== undefined) this.#ids.set(one, own[index]);
      const [, token] = /export BULKHEAD_TOKEN=(\S+)/.exec(line) ?? [];
      if (token !== undefined) this.#env["BULKHEAD_TOKEN"] = token;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}

interface Step {
  readonly command: string | undefined;
  readonly printed: string[];
}

function stepsOf(block: string): Step[] {
  const steps: Step[] = [];
  for (const line of block.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), printed: [] });
    else {
      if (steps.length === 0) steps.push({ command: undefined, printed: [] });
      steps.at(-1)?.printed.push(line);
    }
  }
  return steps;
}

async function newReader(t: TestContext): Promise<Reader> {
  const folder = folderOf(t, {});
  const bin = folderOf(t, {});
  symlinkSync(join(root, "bin/bulkhead.js"), join(bin, "bulkhead"));
  symlinkSync(process.execPath, join(bin, "node"));
  const ports = new Map([
    ["8080", await freePort()],
    ["8081", await freePort()],
  ]);
  return new Reader(folder, bin, ports);
}

test("the commands of the tutorial print what the page shows", async (t) => {
  const reader = await newReader(t);
  t.after(() => reader.ends());
  let commands = 0;
  for (const [, head = "", block = ""] of page.matchAll(/^```((?:yaml \S+)|console)\n(.*?)^```$/gms)) {
    const [, path] = head.split(" ");
    if (path !== undefined) reader.write(path, block);
    else
      for (const { command, printed } of stepsOf(block)) {
        if (command === undefined) await reader.sees(printed);
        else await reader.does(command, printed);
        commands += 1;
      }
  }
  assert.ok(commands > 20);
});
