/** Closed and expired sessions, kept for a while for who reads them again: a bounded number, and bytes of their calls. */
import type { Limits } from "../../../shared/limits.ts";
import type { TestSession } from "./test-session.ts";

export class KeptSessions {
  readonly #limits: Limits;
  readonly #forget: (session: TestSession) => void;
  /** The oldest first. */
  readonly #kept = new Set<TestSession>();

  /** `forget`: told of those that go. */
  constructor(limits: Limits, forget: (session: TestSession) => void) {
    this.#limits = limits;
    this.#forget = forget;
  }

  /** From now on, whatever it was before; the newest has a place in any case. */
  keep(session: TestSession): void {
    clearTimeout(session.timer);
    session.timer = setTimeout(() => this.#drop(session), this.#limits.testSessionKeptMs).unref();
    this.#kept.delete(session);
    this.#kept.add(session);
    let bytes = 0;
    for (const kept of this.#kept) bytes += kept.bytes;
    for (const oldest of this.#kept) {
      if (oldest === session) return;
      if (this.#kept.size <= this.#limits.testSessions && bytes <= this.#limits.testSessionBytes) return;
      bytes -= oldest.bytes;
      this.#drop(oldest);
    }
  }

  #drop(session: TestSession): void {
    clearTimeout(session.timer);
    this.#kept.delete(session);
    this.#forget(session);
  }
}
