/** What a host process prints: nothing of ours does, so it is Node or V8 that has something to say, often its last words. */
import type { Readable } from "node:stream";

const keptLines = 8;
const lineCharacters = 500;
/** Lines that are told in a second; the others are counted. */
const linesPerSecond = 20;

export class HostOutput {
  readonly #tell: (line: string) => void;
  readonly #last: string[] = [];
  #second = 0;
  #told = 0;
  #untold = 0;

  constructor(streams: readonly (Readable | null)[], tell: (line: string) => void) {
    this.#tell = tell;
    for (const stream of streams) if (stream !== null) this.#read(stream);
  }

  /** What it printed last, in one line; "" for nothing. */
  get last(): string {
    return this.#last.join(" | ").slice(0, keptLines * lineCharacters);
  }

  #read(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8").on("data", (part: string) => {
      const lines = (rest + part).split("\n");
      rest = (lines.pop() ?? "").slice(0, lineCharacters);
      for (const line of lines) this.#line(line);
    });
    stream.on("end", () => this.#line(rest));
    stream.on("error", () => {});
  }

  #line(text: string): void {
    const line = text.trim().slice(0, lineCharacters);
    if (line === "") return;
    this.#last.push(line);
    if (this.#last.length > keptLines) this.#last.shift();
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      if (this.#untold > 0) this.#tell(`${this.#untold} more lines were not told`);
      this.#second = second;
      this.#told = 0;
      this.#untold = 0;
    }
    if (this.#told < linesPerSecond) this.#tell(line);
    else this.#untold += 1;
    this.#told += 1;
  }
}
