/** Evaluates `mockCalled`: how often, and with what, a step or an endpoint was called. */
import { type ComparedPlace, formatValue, pathOf } from "../../shared/comparison.ts";
import { describe, isMatcher, isObject } from "../../shared/matcher-operators.ts";
import type { AssessedAssertion } from "../../shared/mock.ts";
import type { CalledAssertion, ExpectedCall } from "./assertion.ts";
import { callTarget, type Evidence, labelOf, type Target, unknownTarget } from "./evidence.ts";
import { judgeCall, type Miss, missText, nearest } from "./judge-call.ts";

const shownCalls = 10;

export function assessCalls(assertion: CalledAssertion, evidence: Evidence): AssessedAssertion {
  const { target: wanted, call, least, most } = assertion;
  const target = callTarget(wanted, evidence);
  const expected = `${labelOf(wanted)}: expected ${countText(assertion)}${callText(call)}`;
  if (target === undefined) {
    return { passed: false, actual: null, message: `${labelOf(wanted)}: ${unknownTarget(wanted, evidence)}` };
  }
  if (call === undefined) {
    const passed = target.count >= least && target.count <= most;
    return { passed, actual: target.count, message: `${expected}, got ${target.count}` };
  }
  const { fitting, misses, open } = sort(target, call, evidence);
  const unrecorded = Math.max(0, target.count - target.calls.length);
  const got = fitting.length;
  // The most calls that may have matched, as far as the records show.
  const possible = got + open.length + unrecorded;
  const passed = got >= least && possible <= most;
  const near = got < least ? nearest(misses) : undefined;
  const sentences = [
    `${expected}, got ${got} of ${target.count}`,
    ...(got > most ? [`they are ${numbers(fitting)}`] : []),
    ...doubts(unrecorded, open),
    ...(!passed && got <= most && possible >= least && possible > got ? ["so the outcome is uncertain"] : []),
    ...(near === undefined ? [] : [`nearest miss: ${missText(near)}`]),
  ];
  return { passed, actual: got, message: sentences.join("; ") };
}

interface Open {
  readonly seq: number;
  readonly why: string;
}

function sort({ calls: seen }: Target, call: ExpectedCall, { budget }: Evidence) {
  const fitting: number[] = [];
  const misses: Miss[] = [];
  const open: Open[] = [];
  for (const one of seen) {
    const verdict = judgeCall(one, call, budget);
    if (verdict.kind === "fits") fitting.push(one.seq);
    else if (verdict.kind === "differs") misses.push({ call: one, mismatches: verdict.mismatches });
    else open.push({ seq: one.seq, why: verdict.why });
  }
  return { fitting, misses, open };
}

function doubts(unrecorded: number, open: readonly Open[]): string[] {
  const texts = [...Map.groupBy(open, ({ why }) => why)].slice(0, 4).map(([why, of]) => {
    return `${numbers(of.map(({ seq }) => seq))} cannot be compared: ${why}`;
  });
  if (unrecorded === 0) return texts;
  return [`${calls(unrecorded)} ${unrecorded === 1 ? "has" : "have"} no record`, ...texts];
}

/** `call 3`, `calls 3, 5, 8` */
function numbers(seqs: readonly number[]): string {
  const shown = seqs.slice(0, shownCalls).join(", ");
  return `${seqs.length === 1 ? "call" : "calls"} ${shown}${seqs.length > shownCalls ? ", ..." : ""}`;
}

const mostClauses = 8;
const mostCharacters = 600;

/** `2 calls`, `no calls`, `at least 1 call`, `2 to 5 calls` */
export function countText({ least, most }: Pick<CalledAssertion, "least" | "most">): string {
  if (least === most) return calls(least);
  if (most === Number.POSITIVE_INFINITY) return `at least ${calls(least)}`;
  return least === 0 ? `at most ${calls(most)}` : `${least} to ${calls(most)}`;
}

export function calls(count: number): string {
  if (count === 0) return "no calls";
  return count === 1 ? "1 call" : `${count} calls`;
}

/** ` with body.id = 17, header orderId = "17"`; empty when any call matches. */
export function callText(call: ExpectedCall | undefined): string {
  if (call === undefined) return "";
  const clauses: string[] = [];
  for (const [name, matcher] of Object.entries(call.headers ?? {}))
    clause(`header ${name}`, undefined, matcher, clauses);
  const others: string[] = [];
  if (call.body !== undefined) clause("body", undefined, call.body, others);
  if (call.uri !== undefined) clause("uri", undefined, call.uri, others);
  const all = [...others, ...clauses];
  const more = all.length > mostClauses ? ", ..." : "";
  const text = all.slice(0, mostClauses).join(", ") + more;
  return ` with ${text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text}`;
}

/** Lists the members that an object must contain, each as a clause. */
function clause(base: string, place: ComparedPlace, matcher: unknown, clauses: string[]): void {
  if (clauses.length > mostClauses) return;
  const part = isMatcher(matcher) && Object.keys(matcher).length === 1 ? matcher["$contains"] : undefined;
  const members = isObject(part) && !isMatcher(part) ? Object.entries(part) : [];
  for (const [key, inner] of members) clause(base, { above: place, key }, inner, clauses);
  if (members.length > 0) return;
  const path = pathOf(place, base);
  clauses.push(isMatcher(matcher) ? `${path}: ${describe(matcher)}` : `${path} = ${formatValue(matcher)}`);
}
