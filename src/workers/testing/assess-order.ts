/** `mockOrder`: whose first call came first. */
import type { AssessedAssertion } from "../../shared/mock.ts";
import { type Evidence, type Target, targetNamed, unknownTarget } from "./evidence.ts";

interface First {
  readonly name: string;
  /** undefined: never called, or nothing is recorded of it. */
  readonly seq: number | undefined;
  /** Whether this is known for certain. */
  readonly certain: boolean;
}

export function assessOrder(names: readonly string[], evidence: Evidence): AssessedAssertion {
  const firsts: First[] = [];
  for (const name of names) {
    const target = targetNamed(name, evidence);
    if (target !== undefined) firsts.push(firstOf(name, target, evidence));
    else
      return { passed: false, actual: null, message: `'${cut(name)}': ${unknownTarget({ stepId: name }, evidence)}` };
  }
  const called = firsts.filter(({ seq }) => seq !== undefined).sort((a, b) => Number(a.seq) - Number(b.seq));
  const unsure = firsts.filter(({ certain }) => !certain);
  const never = firsts.filter(({ seq, certain }) => seq === undefined && certain);
  const inOrder = called.length === names.length && called.every(({ name }, i) => name === names[i]);
  const found = called.map(({ name, seq }) => `'${cut(name)}' (call ${seq})`).join(", ");
  const told = [
    `expected first calls in the order ${names.map((name) => `'${cut(name)}'`).join(", ")}; found ${found || "none"}`,
    ...(never.length > 0 ? [`never called: ${quoted(never)}`] : []),
    ...(unsure.length > 0 ? [`it cannot be told of ${quoted(unsure)}, whose first calls may have no record`] : []),
  ];
  return {
    passed: inOrder && unsure.length === 0,
    actual: called.map(({ name }) => name),
    message: told.join("; "),
  };
}

/** One that has no record may have come before, if a number is missing there. */
function firstOf(name: string, { count, calls }: Target, { firstUnseen }: Evidence): First {
  const seq = calls[0]?.seq;
  return { name, seq, certain: count <= calls.length || (seq !== undefined && seq < firstUnseen) };
}

function quoted(firsts: readonly First[]): string {
  return firsts.map(({ name }) => `'${cut(name)}'`).join(", ");
}

function cut(name: string): string {
  return name.slice(0, 100);
}
