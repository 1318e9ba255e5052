/** What holds for every text that is checked, whatever it says; and for every flow that a text turns out to be. */
import assert from "node:assert/strict";
import type { CheckResult } from "../../../../src/shared/check.ts";
import type { Diagnostic } from "../../../../src/shared/diagnostic.ts";
import { defaultLimits } from "../../../../src/shared/limits.ts";
import { catalog } from "../../../../src/workers/catalog.ts";
import { check } from "../../../../src/workers/check/check.ts";
import { compileFlow } from "../../../../src/workers/compile/compile-flow.ts";
import { withModules } from "../../../../src/workers/engine/late-module.ts";
import { workOf } from "../../languages/fuzz/work.ts";

const longestMessage = 1024;

/** Says of the whole text that there is more. */
const placeless = new Set(["more_problems"]);

/** Checks the text; throws when the answer is none, or one that it should not be. */
export async function judge(text: string): Promise<CheckResult> {
  const { result, work } = await withModules(() => checked(text));
  const { flow, diagnostics } = result;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  assert.equal(flow === undefined, errors.length > 0, "an answer is a flow or errors");
  const lines = text.split("\n");
  const places = new Set<string>();
  for (const diagnostic of diagnostics) {
    judgeMessage(diagnostic);
    if (placeless.has(diagnostic.code)) continue;
    judgePlace(diagnostic, lines);
    const place = `${diagnostic.line}:${diagnostic.column} ${diagnostic.code}`;
    assert.ok(!places.has(place), `said twice about ${place}: ${said(diagnostics)}`);
    places.add(place);
  }
  assert.ok(work <= mostWork(text), `${work} characters looked at for a text of ${text.length}`);
  return result;
}

/** The characters that a check of a text may look at. The first use of a definition costs its schema, which is a few hundred thousand. */
export function mostWork(text: string): number {
  return 1_000_000 + 500 * text.length;
}

export function checked(text: string): { readonly result: CheckResult; readonly work: number } {
  let result: CheckResult = { diagnostics: [] };
  const work = workOf(() => {
    result = check({ flowId: "flow", yaml: text, params: {}, limits: defaultLimits }, catalog, compileFlow);
  });
  return { result, work };
}

function judgeMessage({ message, code }: Diagnostic): void {
  assert.notEqual(message, "");
  assert.ok(Buffer.byteLength(message) <= longestMessage, `${code} says ${message.length} characters: ${message}`);
}

function judgePlace({ line, column, endLine, endColumn, message }: Diagnostic, lines: readonly string[]): void {
  const within = (l: number | null, c: number | null, behind: number): boolean =>
    l !== null && c !== null && l >= 1 && l <= lines.length && c >= 1 && c <= (lines[l - 1] ?? "").length + 1 + behind;
  assert.ok(within(line, column, 0), `${line}:${column} is not in the text: ${message}`);
  // A mark at the end of a line is one character wide.
  assert.ok(within(endLine, endColumn, 1), `${endLine}:${endColumn} is not in the text: ${message}`);
}

function said(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ line, column, code, message }) => `\n  ${line}:${column} ${code} ${message}`).join("");
}
