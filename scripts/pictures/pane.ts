/** A terminal in which commands are typed: a window of tmux, with a server of its own. */
import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

const prompt = "~/shop $";
const colouredPrompt = `\\[\\e[36m\\]${prompt}\\[\\e[0m\\] `;
const patienceMs = 60_000;

export class Pane {
  readonly #socket = `bulkhead-pictures-${process.pid}`;

  /** `home`: the folder that has `shop`, where the shell begins; `env`: all of its variables. */
  constructor(home: string, env: Readonly<Record<string, string>>, size: { readonly columns: number; rows: number }) {
    const shell = [
      "env",
      "-i",
      ...Object.entries({ ...env, HOME: home, HISTFILE: "", TERM: "screen-256color", PS1: colouredPrompt }),
    ].map((word) => quoted(typeof word === "string" ? word : word.join("=")));
    const [x, y] = [String(size.columns), String(size.rows)];
    const command = `${shell.join(" ")} bash --norc --noprofile`;
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", x, "-y", y, "-c", `${home}/shop`, command);
    this.#tmux("set", "-g", "status", "off");
  }

  /** Types a line and waits until what it prints matches; without a pattern until the command has ended. */
  async type(line: string, pattern?: RegExp): Promise<void> {
    await this.shown(/\$ *$/);
    const ended = this.#prompts() + 1;
    this.#tmux("send-keys", "-l", line);
    this.#tmux("send-keys", "Enter");
    await this.#until(() => (pattern === undefined ? this.#prompts() >= ended : pattern.test(this.#text())));
  }

  press(key: string): void {
    this.#tmux("send-keys", key);
  }

  async shown(pattern: RegExp): Promise<void> {
    await this.#until(() => pattern.test(this.#text()));
  }

  /** The lines that are shown, with escape sequences; without the last prompt. */
  lines(): string[] {
    const lines = this.#tmux("capture-pane", "-p", "-e").split("\n");
    while (lines.length > 0 && ["", prompt].includes(stripVTControlCharacters(lines.at(-1) ?? "").trim())) lines.pop();
    return lines;
  }

  close(): void {
    this.#tmux("kill-server");
  }

  #text(): string {
    return this.#tmux("capture-pane", "-p").trimEnd();
  }

  #prompts(): number {
    return this.#text()
      .split("\n")
      .filter((line) => line.startsWith(prompt)).length;
  }

  /** Throws when it takes too long, with what is shown. */
  async #until(holds: () => boolean): Promise<void> {
    const until = Date.now() + patienceMs;
    while (!holds()) {
      if (Date.now() > until) throw new Error(`what was waited for is not shown:\n${this.#text()}`);
      await pause(50);
    }
  }

  #tmux(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("tmux", ["-u", "-L", this.#socket, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
