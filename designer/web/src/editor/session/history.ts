/**
 * The one history of an open flow: what the canvas, the form and the YAML pane have changed, as change sets of the text,
 * so that one undo goes back over all three.
 */
import type { ChangeSet, Text } from "@codemirror/state";
import { maxUndoSteps, undoPauseMs } from "./limits.ts";

interface Entry {
  /** Leads back to the text before. */
  readonly inverse: ChangeSet;
  /** What was selected before. */
  readonly selection: readonly string[];
  readonly label: string;
  readonly join: string | undefined;
  readonly at: number;
}

export interface Revert {
  readonly changes: ChangeSet;
  readonly selection: readonly string[];
  /** What is taken back or done again, in words. */
  readonly label: string;
}

export interface Recorded {
  readonly changes: ChangeSet;
  readonly before: Text;
  readonly selection: readonly string[];
  readonly label: string;
  /** Edits with the same word that follow each other closely are one step of the history. */
  readonly join?: string | undefined;
}

export class EditHistory {
  #undone: Entry[] = [];
  #done: Entry[] = [];

  /** What `undo` takes back, in words. */
  get undoLabel(): string | undefined {
    return this.#done.at(-1)?.label;
  }

  get redoLabel(): string | undefined {
    return this.#undone.at(-1)?.label;
  }

  record({ changes, before, selection, label, join }: Recorded): void {
    const inverse = changes.invert(before);
    const last = this.#done.at(-1);
    const at = Date.now();
    this.#undone = [];
    if (last !== undefined && join !== undefined && last.join === join && at - last.at < undoPauseMs) {
      this.#done[this.#done.length - 1] = { ...last, inverse: inverse.compose(last.inverse), at };
      return;
    }
    this.#done.push({ inverse, selection, label, join, at });
    if (this.#done.length > maxUndoSteps) this.#done.shift();
  }

  /** Takes the last edit off. @returns the changes to apply to `now`; undefined: there is none */
  undo(now: Text, selection: readonly string[]): Revert | undefined {
    return step(this.#done, this.#undone, now, selection);
  }

  redo(now: Text, selection: readonly string[]): Revert | undefined {
    return step(this.#undone, this.#done, now, selection);
  }
}

function step(from: Entry[], to: Entry[], now: Text, selection: readonly string[]): Revert | undefined {
  const entry = from.pop();
  if (entry === undefined) return undefined;
  to.push({ ...entry, inverse: entry.inverse.invert(now), selection, join: undefined });
  return { changes: entry.inverse, selection: entry.selection, label: entry.label };
}
