/** Log lines that strangers can cause: each is written at once, and ten seconds later once more with the number of its repetitions. */

const everyMs = 10_000;
/** How many different lines about a subject are written in that time. */
const linesAtOnce = 8;

export class RepeatedLines {
  readonly #write: (subject: string, line: string) => void;
  /** Subject -> line -> how often it was repeated since it was written. */
  readonly #written = new Map<string, Map<string, number>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (subject: string, line: string) => void) {
    this.#write = write;
  }

  /** `other`: takes the place of the line when there are too many different ones. `first`: follows the line where it is written at once. */
  note(subject: string, line: string, other: string, first = ""): void {
    const written = this.#written.get(subject) ?? new Map<string, number>();
    this.#written.set(subject, written);
    const kept = written.has(line) || written.size < linesAtOnce ? line : other;
    const more = written.get(kept);
    written.set(kept, more === undefined ? 0 : more + 1);
    if (more === undefined) this.#write(subject, `${kept}${first}`);
    this.#timer ??= setTimeout(() => this.flush(), everyMs).unref();
  }

  /** Writes the lines that were only counted; the next ones are written at once again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [subject, lines] of this.#written)
      for (const [line, more] of lines) if (more > 0) this.#write(subject, `${line} (${more} more since)`);
    this.#written.clear();
  }
}
