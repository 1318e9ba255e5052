/** What a case of the suite has counted, and the table of all. */

export interface Outcome {
  readonly connector: string;
  readonly test: string;
  readonly produced: number;
  readonly lost: number;
  readonly doubled: number;
}

/** `consumed`: the texts that have arrived, of those that were produced. */
export function countOf(produced: readonly string[], consumed: readonly string[]): Pick<Outcome, "lost" | "doubled"> {
  const arrived = new Map<string, number>();
  for (const text of consumed) arrived.set(text, (arrived.get(text) ?? 0) + 1);
  const lost = produced.filter((text) => !arrived.has(text)).length;
  return { lost, doubled: consumed.length - arrived.size };
}

export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ connector, test, produced, lost, doubled }) => [
    connector,
    test,
    produced,
    lost,
    doubled,
  ]);
  const all = [["connector", "case", "produced", "lost", "doubled"], ...rows].map((row) => row.map(String));
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n");
}
