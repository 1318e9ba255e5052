/**
 * Reads and runs `tests` of a value mapping: lookups with expected results. They run before the document is accepted.
 */
import { extendPointer } from "../../shared/document-place.ts";
import type { Scalar, ValueMappingModel } from "../../shared/mapping-models.ts";
import { LookupError } from "../../shared/value-lookup.ts";
import type { ValueTable } from "../../shared/value-table.ts";
import { readQualifiers } from "./value-cells.ts";
import { type Findings, shown } from "./value-findings.ts";
import { readPair } from "./value-lookups.ts";
import { anything, isScalar, list, NotUnderstood, part, readPart, scalar, text } from "./value-shape.ts";

const mostTests = 10_000;

export interface ValueTest {
  readonly pointer: string;
  readonly from: string;
  readonly to: string;
  readonly in: Scalar;
  /** undefined: the lookup must fail. */
  readonly out: Scalar | undefined;
  readonly when: Readonly<Record<string, unknown>>;
}

const test = part(
  {
    ...{ name: anything, description: anything, from: text, to: text },
    ...{ in: anything, out: scalar.optional(), error: anything, when: anything },
  },
  '{"in": "New", "out": "ZNEW"}',
);

/** Throws NotUnderstood. */
export function readTests(value: unknown, model: ValueMappingModel, findings: Findings): readonly ValueTest[] {
  if (value === undefined) return [];
  const elements = readPart(list, value, "/tests", findings);
  if (elements.length > mostTests) throw new NotUnderstood(`/tests has more than ${mostTests} elements`);
  return elements.map((element, at) => {
    const pointer = extendPointer("/tests", at);
    const sent = readPart(test, element, pointer, findings);
    const { in: input, out, error, when } = sent;
    const [from, to] = readPair(sent, pointer, model, findings);
    if (!isScalar(input)) throw new NotUnderstood(`${pointer} has no 'in' that is a value`);
    if ((out === undefined) === (error === undefined))
      findings.problem(pointer, "say what is expected: 'out' or 'error'");
    else if (error !== undefined && error !== "not_found" && error !== true)
      findings.problem(extendPointer(pointer, "error"), 'a lookup fails with "not_found" and nothing else');
    const qualifiers = when === undefined ? [] : readQualifiers(when, extendPointer(pointer, "when"), findings);
    return { pointer, from, to, in: input, out, when: Object.fromEntries(qualifiers) };
  });
}

/** Reports each failure as a problem. Returns how many passed. */
export function runTests(tests: readonly ValueTest[], table: ValueTable, findings: Findings): number {
  let passed = 0;
  for (const test of tests) {
    const found = outcomeOf(test, table);
    if (found === test.out) passed += 1;
    else {
      const what = `the lookup of ${shown(test.in)} from ${shown(test.from)} to ${shown(test.to)}`;
      const [got, expected] = [found, test.out].map((value) => (value === undefined ? "an error" : shown(value)));
      findings.problem(
        test.pointer,
        `the test failed: ${what} gives ${got}, not ${expected}: change the row or the test`,
      );
    }
  }
  return passed;
}

/** Returns undefined when the value is not found. */
function outcomeOf({ from, to, in: input, when }: ValueTest, table: ValueTable): unknown {
  try {
    return table.lookup(from, to, input, { qualifiers: when });
  } catch (error) {
    if (error instanceof LookupError && error.failure === "missing") return undefined;
    throw error;
  }
}
