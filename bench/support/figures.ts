/** Figures as the benches print them. */
import { cpus, totalmem } from "node:os";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** `share` between 0 and 1 of a sorted list. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export function machine(): string {
  const model = cpus()[0]?.model ?? "unknown";
  return `Node ${process.versions.node}, ${cpus().length} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

/** One line of JSON, so that results can be kept and compared. */
export function report(bench: string, figures: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify({ bench, ...figures }));
}
