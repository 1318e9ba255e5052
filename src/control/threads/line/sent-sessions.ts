/** The test sessions that one thread has been sent: armed ahead of their first run in it, disarmed when they are over. */
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import type { ArmTask } from "../../../shared/mock.ts";
import type { Outbox } from "../../../shared/outbox.ts";
import type { ArmedMocks, MockHolder } from "../invocation.ts";

export class SentSessions implements MockHolder {
  /** The PooledFlow that the thread belongs to. */
  readonly #here: object;
  readonly #outbox: Outbox<FrameToThread>;
  readonly #armed = new Map<number, ArmedMocks>();

  constructor(here: object, outbox: Outbox<FrameToThread>) {
    this.#here = here;
    this.#outbox = outbox;
  }

  /** Sends what the thread needs ahead of the invoke frame of a run that is in these sessions. */
  precede(sessions: readonly ArmedMocks[]): void {
    for (const session of sessions) if (!this.#armed.has(session.number)) this.#arm(session);
    const numbers = sessions.map(({ number }) => number);
    this.#outbox.open().push(ToThread.test, numbers);
  }

  /** Returns the session of this number; undefined: it is over, or the thread never had it. */
  find(number: number): ArmedMocks | undefined {
    return this.#armed.get(number);
  }

  disarm(number: number): void {
    if (this.#armed.delete(number)) this.#outbox.open().push(ToThread.disarm, number);
  }

  /** To be called when the thread is gone. */
  end(): void {
    for (const { holders } of this.#armed.values()) holders.delete(this);
    this.#armed.clear();
  }

  #arm(session: ArmedMocks): void {
    const { number, set, words, mostRecorded, pool } = session;
    const task: ArmTask = { set, words, mostRecorded, own: pool === this.#here };
    this.#armed.set(number, session);
    session.holders.add(this);
    this.#outbox.open().push(ToThread.arm, number, task);
  }
}
