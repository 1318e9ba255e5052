/** The runs that a thread has announced and that have not begun yet: how many, and which run has caused each. */
import type { MappingVersion } from "../../../shared/mapping.ts";
import type { Invocation, Origin } from "../invocation.ts";

/** The run that has caused another. */
interface Cause {
  readonly invocation: Invocation;
  readonly mappings: readonly MappingVersion[];
}

export class PendingAnnouncements {
  readonly #most: number;
  /** The origins by token; null: no run has caused it. An array for the same reason as SlotTable (thread-runs.ts). */
  readonly #origins: (Origin | null | undefined)[] = [];
  #waiting = 0;
  /** How many announced runs have begun and are under way. */
  running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Adds a run that the thread has announced. Throws for an invalid token, and when the thread has announced more runs than it may. */
  add(token: number, parent: Cause | undefined): void {
    if (token >= this.#most || this.#origins[token] !== undefined || this.#waiting + this.running >= this.#most) {
      throw new Error(`it has announced more than ${this.#most} runs`);
    }
    const origin = parent === undefined ? null : originOf(parent);
    this.#origins[token] = origin;
    this.#waiting += 1;
    notifySessions(origin, 1);
  }

  /** Takes out a run that begins or is withdrawn, and returns its origin. Throws when no run waits under this token. */
  take(token: number): Origin | undefined {
    const origin = this.#origins[token];
    if (origin === undefined) throw new Error("it tells of a run that it has not announced");
    this.#origins[token] = undefined;
    this.#waiting -= 1;
    notifySessions(origin, -1);
    return origin ?? undefined;
  }

  /** Takes out all runs of a thread that is gone, and returns how many waited. */
  clear(): number {
    const lost = this.#waiting;
    for (const origin of this.#origins) notifySessions(origin, -1);
    this.#origins.length = 0;
    this.#waiting = 0;
    this.running = 0;
    return lost;
  }
}

function originOf({ invocation, mappings }: Cause): Origin {
  const { runId, traceId, hops, mocks } = invocation;
  return { runId, traceId, hops, mocks, mappings, children: invocation.childRuns() };
}

function notifySessions(origin: Origin | null | undefined, by: 1 | -1): void {
  for (const session of origin?.mocks ?? []) session.waiting(by);
}
