/** What was edited, so that it can be taken back: each entry has the state before, which edits never change in place. */
interface Entry<T> {
  readonly before: T;
  readonly label: string;
  readonly join: string | undefined;
  readonly at: number;
}

interface Reverted<T> {
  readonly state: T;
  readonly label: string;
}

const mostSteps = 200;
/** Edits of the same kind within this time are taken back together. */
const togetherMs = 1000;

export class History<T> {
  readonly #done: Entry<T>[] = [];
  #undone: Entry<T>[] = [];

  /** What `undo` takes back, in words. */
  get undoLabel(): string | undefined {
    return this.#done.at(-1)?.label;
  }

  get redoLabel(): string | undefined {
    return this.#undone.at(-1)?.label;
  }

  record(before: T, label: string, join?: string): void {
    const last = this.#done.at(-1);
    const at = Date.now();
    this.#undone = [];
    if (last !== undefined && join !== undefined && last.join === join && at - last.at < togetherMs) {
      this.#done[this.#done.length - 1] = { ...last, at };
      return;
    }
    this.#done.push({ before, label, join, at });
    if (this.#done.length > mostSteps) this.#done.shift();
  }

  /** @returns the state before the last edit; undefined: there is none */
  undo(now: T): Reverted<T> | undefined {
    return step(this.#done, this.#undone, now);
  }

  redo(now: T): Reverted<T> | undefined {
    return step(this.#undone, this.#done, now);
  }
}

function step<T>(from: Entry<T>[], to: Entry<T>[], now: T): Reverted<T> | undefined {
  const entry = from.pop();
  if (entry === undefined) return undefined;
  to.push({ ...entry, before: now, join: undefined });
  return { state: entry.before, label: entry.label };
}
