/** Random test sessions on the flow of `mocked-flow.ts`, with what has to come of them. */
import { crmTargets, erpTargets, flowId, type Kind, kinds, marker, type Target } from "./mocked-flow.ts";

type Dice = (below: number) => number;

export interface PlannedMock {
  /** 0: `to-crm`, 1: `to-erp`. */
  readonly place: 0 | 1;
  readonly target: Target;
  readonly actions: number;
  /** Uses after which it is passed over; Infinity: never. */
  readonly uses: number;
  /** Runs that it is for; undefined: all. */
  readonly kind: Kind | undefined;
  readonly spies: boolean;
}

export interface PlannedSession {
  readonly number: number;
  readonly scope: "session" | "deployment";
  readonly mocks: readonly PlannedMock[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly ttlMs: number | undefined;
  /** Callers that carry it, and for how long they do. */
  readonly callers: number;
  readonly lifeMs: number;
  /** It is closed after its callers have ended, not while they call. */
  readonly quiet: boolean;
}

export function randomSession(number: number, dice: Dice): PlannedSession {
  const scope = dice(4) === 0 ? "deployment" : "session";
  const mocks: PlannedMock[] = [];
  const sent: unknown[] = [];
  for (const [place, targets] of [crmTargets, erpTargets].entries()) {
    const target = targets[dice(2)] as Target;
    const spies = dice(6) === 0;
    const count = spies ? 1 : (place === 0 ? 1 : 0) + dice(3);
    for (let i = 0; i < count; i++) {
      const made = spies ? { spy: true } : randomMock(number, mocks.length, scope, dice);
      // Those for all come last: which runs they leave to the next would depend on the order of the runs.
      const forAll = mocks.some((mock) => mock.place === place && mock.kind === undefined);
      const kind = !spies && !forAll && dice(2) === 0 ? kinds[dice(2)] : undefined;
      const actions = "sequence" in made ? (made.sequence as unknown[]).length : 1;
      mocks.push({ place: place as 0 | 1, target, actions, uses: usesOf(made, actions), kind, spies });
      sent.push({ ...target, ...made, ...(kind !== undefined && { when: { headers: { "x-kind": kind } } }) });
    }
  }
  const ttlMs = dice(5) === 0 ? 1000 + dice(1500) : undefined;
  return {
    number,
    scope,
    mocks,
    document: { flowId, scope, mocks: sent, ...(ttlMs !== undefined && { ttlMs }) },
    ttlMs,
    callers: 1 + dice(3),
    lifeMs: 200 + dice(1500),
    quiet: dice(2) === 0,
  };
}

function randomMock(session: number, mock: number, scope: string, dice: Dice): Readonly<Record<string, unknown>> {
  const action = (index: number): Readonly<Record<string, unknown>> => {
    const body = marker(session, mock, index);
    const delayMs = dice(3) === 0 ? 1 + dice(30) : 0;
    if (dice(3) === 0) return { throw: { type: "java.io.IOException", message: body } };
    return { respond: { body, ...(delayMs > 0 && { delayMs }) } };
  };
  // Whose use was gone could not be told where live traffic meets it.
  const after = ["passthrough", "repeatLast", scope === "session" ? "fail" : "passthrough"][dice(3)];
  if (dice(3) === 0) {
    const sequence = Array.from({ length: 1 + dice(6) }, (_, index) => action(index));
    return { sequence, after };
  }
  const times = dice(4) === 0 ? undefined : 1 + dice(20);
  return { ...action(0), ...(times !== undefined && { times, after }) };
}

function usesOf(made: Readonly<Record<string, unknown>>, actions: number): number {
  if ("sequence" in made) return made["after"] === "passthrough" ? actions : Number.POSITIVE_INFINITY;
  return made["times"] === undefined || made["after"] !== "passthrough"
    ? Number.POSITIVE_INFINITY
    : Number(made["times"]);
}

/**
 * How often each mock has to be used when so many runs of each kind reached its place: each run takes the first that is
 * for it and has a use left, so that the order of the runs does not matter.
 */
export function usesExpected(
  mocks: readonly PlannedMock[],
  runs: readonly [Readonly<Record<Kind, number>>, Readonly<Record<Kind, number>>],
): readonly number[] {
  const left: readonly [Record<Kind, number>, Record<Kind, number>] = [{ ...runs[0] }, { ...runs[1] }];
  return mocks.map(({ place, uses, kind }) => {
    const here = left[place];
    if (kind !== undefined) {
      const taken = Math.min(uses, here[kind]);
      here[kind] -= taken;
      return taken;
    }
    const all = here.a + here.b;
    const taken = Math.min(uses, all);
    // Which kind the rest is of is not known any more, and does not matter to mocks for all.
    here.a = all - taken;
    here.b = 0;
    return taken;
  });
}
