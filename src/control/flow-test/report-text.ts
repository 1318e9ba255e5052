/** Reports results on a terminal. */
import { escapeControls } from "../../shared/escape-controls.ts";
import type { FileResult, TestResult } from "./run-files.ts";
import type { TestFile } from "./test-file.ts";

export interface Paint {
  green(text: string): string;
  red(text: string): string;
  dim(text: string): string;
}

const painted = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[39;22m`;
const plain = (text: string): string => text;

export function paint(colours: boolean): Paint {
  return colours ? { green: painted(32), red: painted(31), dim: painted(2) } : { green: plain, red: plain, dim: plain };
}

export function fileLines({ path }: TestFile, notes: readonly string[], { dim }: Paint): string[] {
  return [path, ...notes.map((note) => dim(`  note: ${oneLine(note)}`))];
}

export function testLines({ path }: TestFile, result: TestResult, updating: boolean, colour: Paint): string[] {
  const { test, status, durationMs, failures, notes, updates } = result;
  const { green, red, dim } = colour;
  if (status === "skipped") {
    const why = typeof test.skip === "string" ? `: ${test.skip}` : "";
    return [dim(`  - ${escapeControls(test.name)} (skipped${escapeControls(why)})`)];
  }
  const mark = status === "passed" ? green("✓") : red("✗");
  return [
    `  ${mark} ${escapeControls(test.name)} ${dim(`(${Math.round(durationMs)} ms)`)}${updating && updates === true ? " expect written" : ""}`,
    ...failures.map(
      ({ line, column, message }) => `      ${dim(`${path}:${line}:${column}:`)} ${indentLines(message, "        ")}`,
    ),
    ...notes.map((note) => dim(`      note: ${indentLines(note, "        ")}`)),
  ];
}

export function summary(
  results: readonly FileResult[],
  durationMs: number,
  only: boolean,
  { green, red }: Paint,
): string {
  const counted = countsOf(results);
  const { tests, passed, failed, skipped } = counted;
  const parts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  const text = `${tests} test${tests === 1 ? "" : "s"}: ${parts.join(", ")} (${(durationMs / 1000).toFixed(1)} s)`;
  const colored = failed > 0 ? red(text) : green(text);
  return only ? `${colored}; some test says 'only'` : colored;
}

export interface TestCounts {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function countsOf(results: readonly Pick<FileResult, "tests">[]): TestCounts {
  const all = results.flatMap(({ tests }) => tests);
  const of = (wanted: TestResult["status"]): number => all.filter(({ status }) => status === wanted).length;
  return { tests: all.length, passed: of("passed"), failed: of("failed"), skipped: of("skipped") };
}

function oneLine(text: string): string {
  return escapeControls(text.replaceAll(/\s*\n\s*/g, " "));
}

function indentLines(text: string, indent: string): string {
  return escapeControls(text).replaceAll("\n", `\n${indent}`);
}
