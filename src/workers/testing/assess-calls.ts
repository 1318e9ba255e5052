/** `mockCalled`: how often, and with what, a step or an endpoint was called. */
import type { AssessedAssertion } from "../../shared/mock.ts";
import type { CalledAssertion, ExpectedCall } from "./assertion.ts";
import { type Evidence, labelOf, type Target, targetOf, unknownTarget } from "./evidence.ts";
import { calls, callText, countText } from "./expected-text.ts";
import { judgeCall } from "./judge-call.ts";
import { type Miss, missText, nearest } from "./nearest-call.ts";

const shownCalls = 10;

export function assessCalls(assertion: CalledAssertion, evidence: Evidence): AssessedAssertion {
  const { target: wanted, call, least, most } = assertion;
  const target = targetOf(wanted, evidence);
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
  // So many it may be, as far as anybody can tell.
  const possible = got + open.length + unrecorded;
  const passed = got >= least && possible <= most;
  const near = got < least ? nearest(misses) : undefined;
  const told = [
    `${expected}, got ${got} of ${target.count}`,
    ...(got > most ? [`they are ${numbers(fitting)}`] : []),
    ...doubts(unrecorded, open),
    ...(!passed && got <= most && possible >= least && possible > got ? ["so it cannot be told"] : []),
    ...(near === undefined ? [] : [`nearest miss: ${missText(near)}`]),
  ];
  return { passed, actual: got, message: told.join("; ") };
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
  const told = [...Map.groupBy(open, ({ why }) => why)].slice(0, 4).map(([why, of]) => {
    return `${numbers(of.map(({ seq }) => seq))} cannot be compared: ${why}`;
  });
  if (unrecorded === 0) return told;
  return [`${calls(unrecorded)} ${unrecorded === 1 ? "has" : "have"} no record`, ...told];
}

/** `call 3`, `calls 3, 5, 8` */
function numbers(seqs: readonly number[]): string {
  const shown = seqs.slice(0, shownCalls).join(", ");
  return `${seqs.length === 1 ? "call" : "calls"} ${shown}${seqs.length > shownCalls ? ", ..." : ""}`;
}
