/** Keyboard shortcuts: what is bound now, for the table that `?` shows and for the listener of the page. */
import { createStore } from "../ui/store.ts";
import { matchesKeys } from "./keys.ts";

export interface Shortcut {
  /** Such as `Ctrl+K`, `?` or `g f` (one after the other). Ctrl also stands for the command key of a Mac. */
  readonly keys: string;
  readonly title: string;
  /** Absent: the table mentions the keys, a part of the page listens to them itself. */
  readonly run?: (() => void) | undefined;
}

interface Group {
  readonly name: string;
  readonly shortcuts: readonly Shortcut[];
}

export const shortcutGroups = createStore<readonly Group[]>([]);

/** Binds shortcuts as long as a screen is there. @returns takes them back */
export function bindShortcuts(name: string, shortcuts: readonly Shortcut[]): () => void {
  const group: Group = { name, shortcuts };
  shortcutGroups.set((before) => [...before, group]);
  return () => shortcutGroups.set((before) => before.filter((one) => one !== group));
}

/** The first key of two that follow each other, until the second or until it is too late. */
let begun = "";
let begunAt = 0;
const togetherMs = 1200;

/** Runs the shortcut of a key; the last one bound wins. `isTyping`: only those with Ctrl or Alt, and F keys. */
export function handleKey(event: KeyboardEvent, isTyping: boolean): void {
  const first = Date.now() - begunAt < togetherMs ? begun : "";
  begun = "";
  const bound = shortcutGroups
    .get()
    .flatMap(({ shortcuts }) => shortcuts)
    .reverse();
  for (const { keys, run } of bound) {
    if (run === undefined) continue;
    const [one = "", second] = keys.split(" ");
    if (isTyping && !/^(?:Ctrl|Alt)\+|^F\d/.test(one)) continue;
    if (second === undefined ? matchesKeys(event, one) : first === one && matchesKeys(event, second)) {
      event.preventDefault();
      run();
      return;
    }
  }
  if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    begun = event.key;
    begunAt = Date.now();
  }
}
