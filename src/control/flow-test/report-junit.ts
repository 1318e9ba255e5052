/**
 * Reports results as JUnit XML, in the form that CI servers read: testsuites, a testsuite for each file, a testcase for
 * each test.
 */
import { countsOf } from "./report-text.ts";
import type { FileResult, TestResult } from "./run-files.ts";

export function junit(results: readonly FileResult[]): string {
  const all = countsOf(results);
  const seconds = results.reduce((sum, { tests }) => sum + secondsOf(tests), 0);
  const counts = { tests: all.tests, failures: all.failed, errors: 0, skipped: all.skipped };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "flow-test", ...counts, time: seconds.toFixed(3) })}>`,
    ...results.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n");
}

function suite(result: FileResult): string[] {
  const { file, tests, startedAt } = result;
  const { failed, skipped } = countsOf([result]);
  const counts = { tests: tests.length, failures: failed, errors: 0, skipped };
  const time = secondsOf(tests).toFixed(3);
  // The format has no time zone: the time is UTC.
  const timestamp = startedAt.toISOString().slice(0, 19);
  return [
    `  <testsuite${attributes({ name: file.path, ...counts, time, timestamp })}>`,
    ...tests.flatMap((test) => testCase(result, test)),
    "  </testsuite>",
  ];
}

function testCase({ file }: FileResult, { test, status, durationMs, failures }: TestResult): string[] {
  const facts = {
    classname: file.flow,
    name: test.name,
    file: file.path,
    line: test.line,
    time: (durationMs / 1000).toFixed(3),
  };
  const open = `    <testcase${attributes(facts)}`;
  if (status === "passed") return [`${open}/>`];
  const why = typeof test.skip === "string" ? attributes({ message: test.skip }) : "";
  if (status === "skipped") return [`${open}>`, `      <skipped${why}/>`, "    </testcase>"];
  const text = failures.map(({ line, column, message }) => `${file.path}:${line}:${column}: ${message}`).join("\n");
  const message = failures[0]?.message ?? "";
  return [
    `${open}>`,
    `      <failure${attributes({ message, type: "expectation" })}>${escapeXml(text)}</failure>`,
    "    </testcase>",
  ];
}

function secondsOf(tests: readonly TestResult[]): number {
  return tests.reduce((sum, { durationMs }) => sum + durationMs / 1000, 0);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escapeXml(String(value)).replaceAll(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`)}"`,
    )
    .join("");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text; characters that XML 1.0 cannot represent become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
