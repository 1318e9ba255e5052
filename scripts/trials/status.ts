/** Which rows are behind: `.ci/run` prints it. */
import { trialRows } from "../../test/trial-rows/index.ts";
import type { TrialRow } from "../../test/trial-rows/row.ts";
import { calledForSince } from "./called-for.ts";
import { commitsSince } from "./git.ts";
import { readResult } from "./result.ts";

export function printStatus(): void {
  const rows = trialRows.map((row) => ({ name: row.name, ...statusOf(row) }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  process.stdout.write("trials, and how many commits ago each ran whole (* its files have changed since):\n");
  for (const { name, mark, text } of rows) process.stdout.write(`${mark} ${name.padEnd(width)}  ${text}\n`);
  const behind = rows.filter(({ mark }) => mark === "*").length;
  process.stdout.write(`${rows.length} rows, ${behind} to be run: npm run trials -- --status\n`);
}

function statusOf(row: TrialRow): { readonly mark: "*" | " "; readonly text: string } {
  const result = readResult(row);
  if (result === undefined) return { mark: "*", text: "never" };
  const { commit, passed, seconds } = result;
  const ago = commitsSince(commit);
  if (ago === undefined) return { mark: "*", text: `at ${commit.slice(0, 10)}, which this history does not have` };
  const reason = calledForSince(commit).get(row);
  const how = `${ago} commits ago, ${passed ? "passed" : "FAILED"} after ${seconds} s`;
  return { mark: reason === undefined && passed ? " " : "*", text: reason === undefined ? how : `${how}; ${reason}` };
}
