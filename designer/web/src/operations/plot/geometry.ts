/** Where the lines of a plot run: paths within a box of a width and a height, 0 at the bottom. */
import type { Plotted } from "./time-series.ts";

export const box = { width: 600, height: 120 } as const;

/** The end of the scale: 1, 2, 2.5 or 5 times a power of ten, at least the highest value. `isBinary`: of bytes, KiB, MiB, ... */
export function scaleEnd(highest: number, isBinary = false): number {
  if (!(highest > 0) || !Number.isFinite(highest)) return 1;
  const unit = isBinary ? 1024 ** Math.max(0, Math.floor(Math.log(highest) / Math.log(1024))) : 1;
  const power = unit * 10 ** Math.floor(Math.log10(highest / unit));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= highest * (1 - 1e-9)) ?? 10;
  return step * power;
}

export function highestOf({ lines }: Plotted): number {
  let highest = 0;
  for (const line of lines.values()) for (const value of line) if (value > highest) highest = value;
  return highest;
}

/** The path of a line; it has gaps where values are not known. A value alone is a dot. */
export function pathOf(line: readonly number[], times: readonly number[], end: number): string {
  const parts: string[] = [];
  let isOpen = false;
  for (const [at, value] of line.entries()) {
    if (Number.isNaN(value)) {
      isOpen = false;
      continue;
    }
    const point = `${xOf(times, at).toFixed(1)} ${(box.height - (value / end) * box.height).toFixed(1)}`;
    parts.push(`${isOpen ? "L" : "M"}${point}`);
    if (!isOpen && !isKnown(line[at + 1])) parts.push("h0.01");
    isOpen = true;
  }
  return parts.join("");
}

/** The place of a time within the width. */
export function xOf(times: readonly number[], at: number): number {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return last === first ? box.width : (((times[at] ?? last) - first) / (last - first)) * box.width;
}

/** The index of the time that is nearest to a place. `share`: of the width, from 0 to 1. */
export function nearest(times: readonly number[], share: number): number {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const wanted = first + share * (last - first);
  let found = 0;
  for (const [at, time] of times.entries())
    if (Math.abs(time - wanted) <= Math.abs((times[found] ?? 0) - wanted)) found = at;
  return found;
}

function isKnown(value: number | undefined): boolean {
  return value !== undefined && !Number.isNaN(value);
}
