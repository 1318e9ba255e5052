/**
 * Route files of others through the check: `npm run storm -- camel-corpus <directory> [accepted %] [page]`, without a directory that of CAMEL_CORPUS. Each file is accepted,
 * or answered with diagnostics: one at a place, each inside of the text, none slower than a second. Placeholders get values of a few
 * kinds, and the file counts with those that suit it best; variables of the environment are allowed. Files that are refused are
 * grouped by their reasons, and the page gets all of it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../../src/shared/check.ts";
import type { Diagnostic } from "../../src/shared/diagnostic.ts";
import { defaultLimits } from "../../src/shared/limits.ts";
import { check } from "../../src/workers/check-tasks.ts";
import { monotonicMs } from "../support/clock.ts";
import { corpusPage } from "./support/corpus-page.ts";
import { type Reason, reasonOf } from "./support/refusal-reasons.ts";
import { table, verdict } from "./support/table.ts";

const directory = process.argv[2] ?? process.env["CAMEL_CORPUS"];
const bar = Number(process.argv[3] ?? 30);
const page = process.argv[4];
const slowestMs = 1000;
const values = ["1000", "http://example.org/a", "tcp://example.org:1883", "text"];

if (directory === undefined) {
  console.error("usage: npm run storm -- camel-corpus <directory> [accepted %] [page]");
  process.exit(2);
}

const files = readdirSync(directory)
  .filter((name) => /\.ya?ml$/.test(name))
  .sort();
const codes = new Map<string, number>();
const accepted: string[] = [];
const refused: (readonly [file: string, reason: Reason])[] = [];
const wrong: string[] = [];
let slowest = { name: "", ms: 0 };
let placeless = 0;

for (const name of files) {
  const yaml = readFileSync(join(directory, name), "utf8");
  const began = monotonicMs();
  let best = await checked(yaml, {});
  const ms = monotonicMs() - began;
  if (ms > slowest.ms) slowest = { name, ms };
  for (const value of values) {
    if (best.flow === undefined) best = better(best, await filled(yaml, value));
  }
  const errors = errorsOf(best);
  const reason = reasonOf(errors);
  if (best.flow !== undefined) accepted.push(name);
  else if (errors.length === 0) wrong.push(`${name}: refused without a diagnostic`);
  else if (reason === undefined) wrong.push(`${name}: a reason that is not known: ${errors[0]?.message}`);
  else refused.push([name, reason]);
  for (const { code } of errors) codes.set(code, (codes.get(code) ?? 0) + 1);
  placeless += errors.filter(({ line }) => line === null).length;
  wrong.push(...misplaced(name, yaml, errors));
}

const share = files.length === 0 ? 0 : (100 * accepted.length) / files.length;
for (const line of wrong) console.log(line);
table(
  ["", "files", "bar"],
  [
    ["checked", files.length, ""],
    ["accepted", accepted.length, ""],
    ["accepted (%)", share, String(bar)],
    ["diagnostics that are wrong", wrong.length, "0"],
    ["diagnostics without a place", placeless, "0"],
    ["slowest (ms)", slowest.ms, String(slowestMs)],
  ],
);
table(
  ["diagnostic", "times", ""],
  [...codes].sort((a, b) => b[1] - a[1]).map(([code, times]) => [code, times, ""]),
);
const reasons = Map.groupBy(refused, ([, { group, what }]) => `${group}: ${what}`);
table(
  ["refused for", "files", ""],
  [...reasons].sort((a, b) => b[1].length - a[1].length).map(([reason, list]) => [reason, list.length, ""]),
);
const usesDatabase = /\b(?:sql|jdbc|spring-jdbc|sql-stored|(?:postgresql|mysql|mariadb)-(?:source|sink))\b/;
const databases = accepted.filter((name) => usesDatabase.test(readFileSync(join(directory, name), "utf8"))).length;
if (page !== undefined) writeFileSync(page, corpusPage({ accepted, databases, refused }));
const met = share >= bar && wrong.length === 0 && placeless === 0 && slowest.ms < slowestMs;
verdict(met, `${accepted.length} of ${files.length} files are accepted; the slowest is ${slowest.name}`);

function checked(yaml: string, params: Readonly<Record<string, string>>): Promise<CheckResult> {
  const names = [...yaml.matchAll(/\{\{env:(\w+)/g)].map(([, name = ""]) => name);
  const variables = new Map(names.map((name) => [name, true]));
  return check({ flowId: "corpus", yaml, params, limits: defaultLimits, variables });
}

/** With this value for every placeholder that has none; values may show further placeholders. */
async function filled(yaml: string, value: string): Promise<CheckResult> {
  const params: Record<string, string> = {};
  for (let round = 0; ; round++) {
    const result = await checked(yaml, params);
    const missing = errorsOf(result).flatMap(({ code, message }) =>
      code === "missing_param" ? (/\{\{(.*?)\}\} has no value/.exec(message)?.[1] ?? []) : [],
    );
    if (missing.length === 0 || round === 4) return result;
    for (const name of missing) params[name] = value;
  }
}

function better(one: CheckResult, other: CheckResult): CheckResult {
  if (one.flow !== undefined) return one;
  return other.flow !== undefined || weight(other) < weight(one) ? other : one;
}

/** A placeholder without a value hides what its value would have been. */
function weight(result: CheckResult): number {
  const errors = errorsOf(result);
  return errors.length + (errors.some(({ code }) => code === "missing_param") ? 1000 : 0);
}

function errorsOf({ diagnostics }: CheckResult): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** Places outside of the text, and two errors of one kind about the same place. */
function misplaced(name: string, yaml: string, errors: readonly Diagnostic[]): string[] {
  const lines = yaml.split("\n");
  const places = new Set<string>();
  const found: string[] = [];
  for (const { line, column, code, message } of errors) {
    if (line === null || column === null) continue;
    const length = lines[line - 1]?.length;
    if (length === undefined || column > length + 1)
      found.push(`${name}:${line}:${column}: outside of the text: ${message}`);
    const place = `${line}:${column} ${code}`;
    if (places.has(place)) found.push(`${name}:${place}: said again: ${message}`);
    places.add(place);
  }
  return found;
}
