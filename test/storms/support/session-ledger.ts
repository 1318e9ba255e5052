/** Every call of a storm, and what its answer says of the sessions that were open: what must not be is noted where it is seen. */
import { monotonicMs } from "../../support/clock.ts";
import { type Kind, nameOf, readAnswer, type Source } from "./mocked-flow.ts";
import { type PlannedSession, usesExpected } from "./random-session.ts";

/** A session as it is known from outside. Times are those of `monotonicMs()`. */
export interface Watched {
  readonly plan: PlannedSession;
  sessionId: string;
  /** When the request that opens it was sent: from here on it may answer. */
  readonly asked: number;
  /** From here on it may have ended: what ends it has been sent. */
  mayEnd: number;
  /** From here on none of its mocks may take a run that begins. */
  over: number;
  /** Why, for the messages. */
  end: string;
  /** Uses that were seen in answers, by mock and action. */
  readonly seen: Map<string, number>;
  /** By place: runs that carried it and came to what it mocks there. */
  readonly reached: readonly [Record<Kind, number>, Record<Kind, number>];
  readonly exhausted: [number, number];
}

export interface Call {
  readonly sent: number;
  readonly kind: Kind;
  readonly session: Watched | undefined;
}

export interface Report {
  readonly callCounts: Readonly<Record<string, number>>;
  readonly recordedCalls: readonly unknown[];
  readonly unrecorded: { readonly overLimit: number; readonly lost: number };
  readonly pending: readonly string[];
  readonly expired: boolean;
  readonly stale: boolean;
}

export class SessionLedger {
  readonly counts = { live: 0, carried: 0, refused: 0, lost: 0, mocked: 0, exact: 0, bounded: 0 };
  readonly violations: string[] = [];
  /** Those whose PUT has been answered, with its time. */
  readonly #versions: { readonly version: number; readonly at: number }[] = [];
  #replacing = false;
  readonly #sessions = new Map<number, Watched>();
  /** Their mocks may still be found in answers, where they must not be. */
  readonly #closed = new Map<number, Watched>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #lost: { readonly call: Call; readonly ended: number }[] = [];

  open(plan: PlannedSession): Watched {
    const watched: Watched = {
      plan,
      sessionId: "",
      asked: monotonicMs(),
      mayEnd: this.#replacing ? 0 : monotonicMs() + (plan.ttlMs ?? Number.POSITIVE_INFINITY),
      over: Number.POSITIVE_INFINITY,
      end: "",
      seen: new Map(),
      reached: [
        { a: 0, b: 0 },
        { a: 0, b: 0 },
      ],
      exhausted: [0, 0],
    };
    this.#sessions.set(plan.number, watched);
    return watched;
  }

  /** A PUT of the flow is sent. */
  replacing(): void {
    this.#replacing = true;
    for (const session of this.#sessions.values()) session.mayEnd = 0;
  }

  /** It is answered. */
  replaced(version: number): void {
    this.#replacing = false;
    this.#versions.push({ version, at: monotonicMs() });
  }

  end(session: Watched, how: string, at = monotonicMs()): void {
    if (at >= session.over) return;
    session.over = at;
    session.end = how;
  }

  /** Resolves when every call has been answered that is under way now. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** @param told resolves to the status, the error's code and the body; undefined: the connection broke */
  async follow(call: Call, told: Promise<{ status: number; code: string; body: string } | undefined>): Promise<void> {
    this.#underWay.add(told);
    const answer = await told;
    if (answer === undefined || (answer.status >= 500 && answer.status <= 504)) {
      this.counts.lost += 1;
      this.#lost.push({ call, ended: monotonicMs() });
    } else if (answer.code === "session_closed") this.#refused(call);
    else if (answer.status === 200) this.#answered(call, answer.body);
    else this.#wrong(`an answer ${answer.status} ${answer.code}: ${answer.body.slice(0, 200)}`);
    this.#underWay.delete(told);
  }

  /** To be called when all calls have been answered that the session can have seen. */
  judge(session: Watched, report: Report): void {
    const { plan } = session;
    const name = `session ${plan.number}`;
    const total = Object.values(report.callCounts).reduce((sum, count) => sum + count, 0);
    const kept = report.recordedCalls.length + report.unrecorded.overLimit + report.unrecorded.lost;
    if (report.pending.length > 0) this.#wrong(`${name}: ${report.pending.length} runs are pending`);
    if (kept !== total) this.#wrong(`${name}: ${total} calls, ${kept} recorded or said to be lost`);
    const lost = this.#lost.filter(({ call, ended }) => ended >= session.asked && this.#mayBeIn(session, call)).length;
    const expected = usesExpected(plan.mocks, session.reached);
    const exact = lost === 0 && !report.expired && plan.scope === "session";
    this.counts[exact ? "exact" : "bounded"] += 1;
    for (const target of new Set(plan.mocks.map(({ target: one }) => one))) {
      const key = nameOf(target);
      const counted = report.callCounts[key] ?? 0;
      const mocks = [...plan.mocks.keys()].filter((i) => plan.mocks[i]?.target === target);
      const place = plan.mocks[mocks[0] as number]?.place ?? 0;
      const spied = mocks.some((i) => plan.mocks[i]?.spies);
      const seen = mocks.reduce((sum, i) => sum + this.#seen(session, i), session.exhausted[place]);
      if (!spied && (counted < seen || counted > seen + lost))
        this.#wrong(`${name}, ${key}: ${counted} calls are counted, callers saw ${seen}, and ${lost} calls were lost`);
      if (!exact) continue;
      const due = mocks.reduce((sum, i) => sum + (expected[i] ?? 0), 0);
      if (counted !== due) this.#wrong(`${name}, ${key}: ${counted} calls are counted, ${due} had to be mocked`);
    }
    for (const [i, { uses, spies }] of plan.mocks.entries()) {
      const seen = this.#seen(session, i);
      if (seen > uses) this.#wrong(`${name}, mock ${i}: ${seen} uses of ${uses}`);
      const due = expected[i] ?? 0;
      if (exact && !spies && Number.isFinite(uses) && seen !== due)
        this.#wrong(`${name}, mock ${i}: ${seen} uses, due were ${due}`);
    }
    this.#sessions.delete(plan.number);
    this.#closed.set(plan.number, session);
  }

  #mayBeIn(session: Watched, { session: carried, sent }: Call): boolean {
    return (carried === session || session.plan.scope === "deployment") && sent <= session.over;
  }

  #seen({ seen, plan }: Watched, mock: number): number {
    let sum = 0;
    for (let action = 0; action < (plan.mocks[mock]?.actions ?? 0); action++) sum += seen.get(`${mock} ${action}`) ?? 0;
    return sum;
  }

  #refused({ session }: Call): void {
    this.counts.refused += 1;
    if (session === undefined) this.#wrong("a call without a session was answered session_closed");
    else if (monotonicMs() < session.mayEnd)
      this.#wrong(`a call in session ${session.plan.number} was refused, and nothing had ended it`);
  }

  #answered(call: Call, body: string): void {
    const { version, sources } = readAnswer(body);
    this.counts[call.session === undefined ? "live" : "carried"] += 1;
    const newest = this.#versions.findLast(({ at }) => at < call.sent)?.version ?? 0;
    if (version < newest)
      this.#wrong(`version ${version} answered a call sent after the answer to the PUT of ${newest}`);
    if (call.session !== undefined) {
      if (call.sent > call.session.over) this.#wrong(`a call was let in although its session was ${call.session.end}`);
    }
    for (const place of [0, 1] as const) {
      const source = sources[place];
      this.#took(call, place, source);
      if (call.session !== undefined && !this.#hides(source, call.session, place)) {
        call.session.reached[place][call.kind] += 1;
      }
    }
  }

  /** The step was replaced whole by another session, so that the endpoint which this one mocks was not called. */
  #hides(source: Source, session: Watched, place: number): boolean {
    if (typeof source === "string" || source.session === session.plan.number) return false;
    const other = this.#find(source.session)?.plan.mocks[source.mock];
    const own = session.plan.mocks.find((mock) => mock.place === place);
    return other !== undefined && "stepId" in other.target && own !== undefined && "uri" in own.target;
  }

  #find(session: number): Watched | undefined {
    return this.#sessions.get(session) ?? this.#closed.get(session);
  }

  #took(call: Call, place: number, source: Source): void {
    if (source === "real") return;
    this.counts.mocked += 1;
    if (source === "exhausted") {
      if (call.session === undefined) this.#wrong("a mock without uses answered a call that carries no session");
      else call.session.exhausted[place as 0 | 1] += 1;
      return;
    }
    const session = this.#find(source.session);
    const mock = session?.plan.mocks[source.mock];
    if (session === undefined || mock === undefined)
      throw new Error(`an unknown mock answered: ${JSON.stringify(source)}`);
    const name = `session ${source.session}, mock ${source.mock}`;
    if (mock.place !== place) this.#wrong(`${name} answered in another place`);
    if (session.plan.scope === "session" && call.session !== session)
      this.#wrong(`${name} answered a call that does not carry it`);
    if (call.sent > session.over) this.#wrong(`${name} answered a call sent after it was ${session.end}`);
    if (mock.kind !== undefined && mock.kind !== call.kind)
      this.#wrong(`${name} answered a call that its 'when' is not for`);
    const key = `${source.mock} ${source.action}`;
    const uses = (session.seen.get(key) ?? 0) + 1;
    session.seen.set(key, uses);
    if (uses > 1 && source.action < mock.actions - 1)
      this.#wrong(`${name}: action ${source.action} of its sequence came twice`);
  }

  #wrong(what: string): void {
    this.violations.push(what);
  }
}
