/** `npm run prose`: counts findings by rule, holds them against the recorded counts, and lists those on touched lines. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countByFile, countsFile, readCounts, rises, total, writeCounts } from "./counts.ts";
import { type Finding, lint } from "./lint.ts";
import { rules } from "./rules.ts";
import { sourceFiles } from "./sources.ts";
import { defaultBase, touchedLines } from "./touched-lines.ts";

export const usage = `npm run prose                         counts over all texts; fails when they rise, or for findings on touched lines
npm run prose -- FILE ...             lists the findings of these files
npm run prose -- --base REVISION      compares with this revision; without it BASE, else where the branch left origin/main,
                                      else the commit that last recorded counts
npm run prose -- --record [FILE ...]  records lower counts; FILE may rise when text has moved there, the total may not`;

/** The process's exit code. */
export async function prose(
  root: string,
  words: readonly string[],
  say: (line: string) => void,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { base: { type: "string" }, record: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help) {
    say(usage);
    return 0;
  }
  if (positionals.length > 0 && !values.record) {
    for (const finding of await findingsOf(root, positionals)) say(lineOf(finding));
    return 0;
  }
  const findings = await findingsOf(root, sourceFiles(root));
  sayCounts(findings, say);
  if (values.record) return record(root, findings, positionals, say);
  const kept = holdsCounts(root, findings, say);
  const clean = isCleanWhereTouched(root, findings, values.base ?? env["BASE"] ?? defaultBase(root), say);
  return kept && clean ? 0 : 1;
}

async function findingsOf(root: string, files: readonly string[]): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const file of files) found.push(...(await lint(file, readFileSync(join(root, file), "utf8"))));
  return found;
}

function sayCounts(findings: readonly Finding[], say: (line: string) => void): void {
  for (const { name } of rules) {
    const count = findings.filter(({ rule }) => rule === name).length;
    say(`${name.padEnd(20)}${String(count).padStart(6)}`);
  }
  say(`${"total".padEnd(20)}${String(findings.length).padStart(6)}`);
}

function record(
  root: string,
  findings: readonly Finding[],
  mayRise: readonly string[],
  say: (line: string) => void,
): number {
  const counts = countByFile(findings);
  const risen = rises(readCounts(root) ?? counts, counts, mayRise);
  for (const line of risen) say(`not recorded: ${line}`);
  if (risen.length > 0) return 1;
  writeCounts(root, counts);
  say(`recorded in ${countsFile}`);
  return 0;
}

function holdsCounts(root: string, findings: readonly Finding[], say: (line: string) => void): boolean {
  const recorded = readCounts(root);
  if (recorded === undefined) {
    say(`${countsFile} is missing: npm run prose -- --record writes it`);
    return false;
  }
  const counts = countByFile(findings);
  const risen = rises(recorded, counts);
  for (const line of risen) say(line);
  const lower = [...recorded].filter(([file, count]) => (counts.get(file) ?? 0) < count);
  if (lower.length > 0)
    say(`${lower.length} files have fewer findings than recorded (${total(recorded)}): npm run prose -- --record`);
  return risen.length === 0;
}

function isCleanWhereTouched(
  root: string,
  findings: readonly Finding[],
  base: string | undefined,
  say: (line: string) => void,
): boolean {
  if (base === undefined) {
    say("no revision to compare with: no line counts as touched");
    return true;
  }
  const touched = touchedLines(root, base);
  const there = findings.filter(({ file, line, lastLine }) => {
    const lines = touched.get(file);
    if (lines === undefined || lines === "all") return lines === "all";
    return Array.from({ length: lastLine - line + 1 }, (_, index) => line + index).some((one) => lines.has(one));
  });
  for (const finding of there) say(lineOf(finding));
  say(`${there.length} findings on lines touched since ${base.slice(0, 12)} (docs/style.md)`);
  return there.length === 0;
}

function lineOf({ file, line, column, rule, advice }: Finding): string {
  return `${file}:${line}:${column} ${rule}: ${advice}`;
}
