/** The last whole run of each row: a file each in test/trials. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { TrialRow } from "../../test/trial-rows/row.ts";

export const root = resolve(import.meta.dirname, "../..");
/** From the project's directory on. A commit of results changes nothing else. */
export const resultsFolder = "test/trials";

export interface TrialResult {
  readonly passed: boolean;
  /** The commit that was tried, 40 hex digits. */
  readonly commit: string;
  /** The day of the run, `2026-11-29`. */
  readonly day: string;
  readonly seconds: number;
  /** Of all processes that it waited for. */
  readonly cpuSeconds: number;
  /** Test files that failed, ran once more, and passed. */
  readonly retries: number;
  /** What it measured, by name. */
  readonly figures: Readonly<Record<string, string | number>>;
}

/** undefined: the row has never run whole. */
export function readResult({ name }: TrialRow): TrialResult | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(name), "utf8")) as TrialResult;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function writeResult({ name }: TrialRow, result: TrialResult): void {
  writeFileSync(pathOf(name), `${JSON.stringify(result, null, 2)}\n`);
}

function pathOf(name: string): string {
  return resolve(root, resultsFolder, `${name}.json`);
}
