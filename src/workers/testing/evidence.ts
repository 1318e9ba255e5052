/** The records of a session, indexed for assertions. */
import type { AssessedResult, AssessRequest, MockTarget } from "../../shared/mock.ts";
import { closest, listed } from "../../shared/suggest.ts";

export type SeenCall = AssessRequest["calls"][number];

export interface Target {
  /** `step 'to-crm'` */
  readonly label: string;
  /** The exact number of calls, including those without a record. */
  readonly count: number;
  /** Recorded calls, in the order in which they began. */
  readonly calls: readonly SeenCall[];
}

export interface Evidence {
  readonly targets: ReadonlyMap<string, Target>;
  readonly result: AssessedResult | null;
  /** The number of the first call without a record. */
  readonly firstUnseen: number;
  /** How many values all comparisons together may still read. */
  readonly budget: { left: number };
}

/** The most values that the assertions of one session may read. */
const mostCompared = 3_000_000;
const nameCharacters = 100;

export function evidenceOf({ targets, callCounts, calls, result }: AssessRequest): Evidence {
  const inOrder = calls.toSorted((a, b) => a.seq - b.seq);
  const byTarget = Map.groupBy(inOrder, ({ target }) => target);
  let firstUnseen = 1;
  for (const { seq } of inOrder) if (seq === firstUnseen) firstUnseen += 1;
  const seen = targets.map((target, i): [string, Target] => [
    targetKey(target),
    { label: labelOf(target), count: callCounts[i] ?? 0, calls: byTarget.get(i) ?? [] },
  ]);
  return { targets: new Map(seen), result, firstUnseen, budget: { left: mostCompared } };
}

export function callTarget(wanted: MockTarget, { targets }: Evidence): Target | undefined {
  return targets.get(targetKey(wanted));
}

/** Finds the step of this name, else the pattern. */
export function targetNamed(name: string, evidence: Evidence): Target | undefined {
  return callTarget({ stepId: name }, evidence) ?? callTarget({ uri: name }, evidence);
}

export function labelOf(target: MockTarget): string {
  return "uri" in target
    ? `endpoint '${target.uri.slice(0, nameCharacters)}'`
    : `step '${target.stepId.slice(0, nameCharacters)}'`;
}

/** Explains why an assertion cannot refer to a target without a mock. */
export function unknownTarget(wanted: MockTarget, { targets }: Evidence): string {
  const [key = "", name = ""] = Object.entries(wanted)[0] ?? [];
  const names = [...targets.keys()].map((key) => key.slice(key.indexOf(" ") + 1));
  const near = closest(name.slice(0, nameCharacters), names);
  const there = names.length === 0 ? "the session has no mock" : `its mocks are for ${listed(names.map(cut), 10)}`;
  const hint = near === undefined ? "" : `, did you mean '${cut(near)}'?`;
  return `no mock of the session is for it${hint}; only mocked and spied steps are counted ({"${key}": "${cut(name)}", "spy": true}): ${there}`;
}

function cut(name: string): string {
  return name.slice(0, nameCharacters);
}

function targetKey(target: MockTarget): string {
  return "uri" in target ? `uri ${target.uri}` : `step ${target.stepId}`;
}
