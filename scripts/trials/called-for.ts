/** Which rows a change calls for. */
import { readFileSync } from "node:fs";
import { matchesGlob, resolve } from "node:path";
import { type Graph, needing, readGraph } from "../../test/laws/graph.ts";
import { trialRows } from "../../test/trial-rows/index.ts";
import type { TrialRow } from "../../test/trial-rows/row.ts";
import { changedSince, textAt } from "./git.ts";
import { root } from "./result.ts";

let graph: Graph | undefined;
const changes = new Map<string, readonly string[]>();

/** By row: a file whose change calls for it. Rows that nothing calls for are absent. */
export function calledForSince(commit: string): ReadonlyMap<TrialRow, string> {
  const changed = changes.get(commit) ?? changedSince(commit);
  changes.set(commit, changed);
  if (changed.length === 0) return new Map();
  // A library may be anywhere.
  if (changed.includes("package.json") && dependenciesOf(textAt(commit, "package.json")) !== dependenciesOf(here()))
    return new Map(trialRows.map((row) => [row, "package.json: dependencies"]));
  graph ??= readGraph();
  return calledForBy(changed, graph);
}

/** `changed`: files, from the project's directory on. */
export function calledForBy(changed: readonly string[], graph: Graph): ReadonlyMap<TrialRow, string> {
  const called = new Map<TrialRow, string>();
  for (const file of changed) {
    const users = [...needing([file], graph.imports)];
    for (const row of trialRows) if (!called.has(row) && callsFor(row, file, users)) called.set(row, file);
  }
  return called;
}

function callsFor({ files, folders = [] }: TrialRow, changed: string, users: readonly string[]): boolean {
  return (
    folders.some((pattern) => matchesGlob(changed, pattern)) ||
    files.some((pattern) => users.some((user) => matchesGlob(user, pattern)))
  );
}

function here(): string {
  return readFileSync(resolve(root, "package.json"), "utf8");
}

function dependenciesOf(packageJson: string): string {
  const { dependencies } = JSON.parse(packageJson === "" ? "{}" : packageJson) as { dependencies?: object };
  return JSON.stringify(dependencies);
}
