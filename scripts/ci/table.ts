/** The table of phases that ends a check. */
import type { PhaseResult } from "./phase.ts";

/** Phases that run side by side have their own seconds each, so the seconds add up to more than the whole check takes. */
export function phaseTable(results: readonly PhaseResult[]): string {
  const sum = (of: (result: PhaseResult) => number): number => results.reduce((total, result) => total + of(result), 0);
  const isPassed = results.every(({ passed }) => passed);
  const all: readonly PhaseResult[] = [
    ...results,
    {
      name: "all",
      passed: isPassed,
      seconds: sum((one) => one.seconds),
      cpuSeconds: sum((one) => one.cpuSeconds),
      output: "",
    },
  ];
  const rows = [
    ["phase", "", "seconds", "CPU s"],
    ...all.map(({ name, passed, seconds, cpuSeconds }) => [
      name,
      passed ? "passed" : "FAILED",
      seconds.toFixed(0),
      cpuSeconds.toFixed(0),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
