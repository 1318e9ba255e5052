/** The ratchet: how many findings each file may have. The counts are in scripts/prose/counts.json and only fall. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "./lint.ts";

export const countsFile = "scripts/prose/counts.json";

/** By file; a file without findings is not listed. */
export type Counts = ReadonlyMap<string, number>;

export function countByFile(findings: readonly Finding[]): Counts {
  const counts = new Map<string, number>();
  for (const { file } of findings) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

/** Undefined before the counts are recorded for the first time. */
export function readCounts(root: string): Counts | undefined {
  const path = join(root, countsFile);
  return existsSync(path) ? new Map(Object.entries(JSON.parse(readFileSync(path, "utf8")))) : undefined;
}

export function writeCounts(root: string, counts: Counts): void {
  const sorted = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(root, countsFile), `${JSON.stringify(sorted, null, 2)}\n`);
}

export function total(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** A line for each file that has more findings than recorded. `mayRise`: files to which text has moved; the total bounds them. */
export function rises(recorded: Counts, counts: Counts, mayRise: readonly string[] = []): string[] {
  const risen = [...counts].flatMap(([file, count]) => {
    const before = recorded.get(file) ?? 0;
    return count > before && !mayRise.includes(file) ? [`${file} has ${count} findings, ${before} are recorded`] : [];
  });
  const [all, before] = [total(counts), total(recorded)];
  return all > before ? [...risen, `all files have ${all} findings, ${before} are recorded`] : risen;
}
