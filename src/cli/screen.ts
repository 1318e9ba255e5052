/** A terminal's whole screen that a command draws again and again, with keys; the terminal is left as it was found. */
import type { Terminal } from "./terminal.ts";

const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";
const ctrlC = "\u0003";

export class Screen {
  readonly #terminal: Terminal;
  readonly #ended = new AbortController();
  readonly #onKey: (key: string) => void;
  readonly #onResize: () => void;

  /** `onKey` gets each key but those that end: q and Ctrl-C. */
  constructor(terminal: Terminal, { onKey, onResize }: { onKey: (key: string) => void; onResize: () => void }) {
    this.#terminal = terminal;
    this.#onKey = onKey;
    this.#onResize = onResize;
  }

  /** Aborted when the person or a signal ends the command. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  open(): void {
    const { stdin, stdout } = process;
    stdout.write(enter);
    if (stdin.isTTY === true) stdin.setRawMode(true).setEncoding("utf8").on("data", this.#read).resume();
    stdout.on("resize", this.#onResize);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, this.#end);
    // Also after a fault of the program.
    process.once("exit", this.#restore);
  }

  close(): void {
    this.#restore();
    process.off("exit", this.#restore);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, this.#end);
    process.stdout.off("resize", this.#onResize);
    process.stdin.off("data", this.#read).pause();
  }

  /** Replaces what the screen shows by what `print` prints; lines that do not fit are left out. */
  draw(print: (terminal: Terminal) => void): void {
    const { columns = 80, rows = 24 } = process.stdout;
    const lines: string[] = [];
    const collect = (text: string): void => void lines.push(...text.split("\n"));
    print({ ...this.#terminal, width: columns, say: collect, complain: collect });
    // Lines are not wrapped while they are drawn: a wide one would push the others down.
    const drawn = lines.slice(0, rows).map((line) => `${line}\u001b[K`);
    process.stdout.write(`\u001b[?7l\u001b[H${drawn.join("\r\n")}\u001b[J\u001b[?7h`);
  }

  readonly #end = (): void => this.#ended.abort();

  readonly #read = (keys: string): void => {
    for (const key of keys) {
      if (key === ctrlC || key === "q" || key === "Q") this.#end();
      else this.#onKey(key);
    }
  };

  readonly #restore = (): void => {
    if (process.stdin.isTTY === true) process.stdin.setRawMode(false);
    process.stdout.write(leave);
  };
}
