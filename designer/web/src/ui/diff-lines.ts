/** The difference of two texts by lines, for the eye: with what stays around each change, and gaps between. */
import { diffLines as changesOf } from "diff";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** The number of the line in the text before, from 1. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

/** Lines that stay and are not shown. */
export interface DiffGap {
  readonly kind: "gap";
  readonly count: number;
}

/** Beyond this time the texts count as different as a whole: the page must not stand still for a picture. */
const longestMs = 300;

/** All lines of both texts, in order. Ends of lines are compared, too: a text that has other ones differs everywhere. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const changes = changesOf(before, after, { timeout: longestMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines: DiffLine[] = [];
  const at = { before: 0, after: 0 };
  for (const { value, added, removed } of changes) {
    for (const text of linesOf(value)) {
      const kind = added ? "added" : removed ? "removed" : "same";
      if (kind !== "added") at.before += 1;
      if (kind !== "removed") at.after += 1;
      lines.push({
        kind,
        before: kind === "added" ? undefined : at.before,
        after: kind === "removed" ? undefined : at.after,
        text,
      });
    }
  }
  return lines;
}

/** Changes with some lines around; what is further away is a gap. Nothing when the texts are equal. */
export function shortened(lines: readonly DiffLine[], around = 3): readonly (DiffLine | DiffGap)[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    for (let close = index - around; close <= index + around; close += 1) near.add(close);
  }
  if (near.size === 0) return [];
  const shown: (DiffLine | DiffGap)[] = [];
  let left = 0;
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) {
      left += 1;
      continue;
    }
    if (left > 0) shown.push({ kind: "gap", count: left });
    left = 0;
    shown.push(line);
  }
  if (left > 0) shown.push({ kind: "gap", count: left });
  return shown;
}

/** How many lines came and went. */
export function countsOf(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
