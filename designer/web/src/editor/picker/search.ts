/** Finds entries by words of their name, group and sentence; the best fit first, and what was used lately before the rest. */
import { words } from "../../words.ts";
import type { PickerEntry } from "./entries.ts";

export function findEntries(
  entries: readonly PickerEntry[],
  query: string,
  recent: readonly string[],
): readonly PickerEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (entry: PickerEntry): number => {
    const at = recent.indexOf(entry.key);
    return at < 0 ? recent.length : at;
  };
  const scored = entries
    .map((entry, index) => ({ entry, index, score: scoreOf(entry, wanted) }))
    .filter(({ score }) => score > 0);
  scored.sort((a, b) => b.score - a.score || rank(a.entry) - rank(b.entry) || a.index - b.index);
  return scored.map(({ entry }) => entry);
}

/** 0: a word is nowhere in it. */
function scoreOf({ name, title, group, docs }: PickerEntry, wanted: readonly string[]): number {
  if (wanted.length === 0) return 1;
  const [first = ""] = wanted;
  const names = `${name} ${title}`.toLowerCase();
  if (name.toLowerCase() === wanted.join("") || title.toLowerCase() === wanted.join(" ")) return 6;
  if (wanted.every((word) => names.includes(word))) {
    if (names.startsWith(first)) return 5;
    return title
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(first))
      ? 4
      : 3;
  }
  const all = `${names} ${words.picker.groups[group]} ${docs}`.toLowerCase();
  return wanted.every((word) => all.includes(word)) ? 2 : 0;
}
