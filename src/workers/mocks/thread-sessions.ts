/** The test sessions that a thread knows of, and which of them the next run is in. */

import type { ArmTask } from "../../shared/mock.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Run } from "../engine/run.ts";
import type { RunMocks } from "../engine/run-mocks.ts";
import { ArmedSession } from "./armed-session.ts";
import type { MockedFlow } from "./mocked-flow.ts";
import { SessionMocks, type TellCall } from "./session-mocks.ts";

export class ThreadSessions {
  readonly #flow: MockedFlow;
  readonly #tell: TellCall;
  readonly #armed = new Map<number, ArmedSession>();
  #next: readonly number[] | undefined;

  constructor(flow: MockedFlow, tell: TellCall) {
    this.#flow = flow;
    this.#tell = tell;
  }

  arm(number: number, task: ArmTask): void {
    this.#armed.set(number, new ArmedSession(number, task, this.#flow));
  }

  /** Runs that are in it keep it: whether it answers is said by its memory. */
  disarm(number: number): void {
    this.#armed.delete(number);
  }

  /** The run that is told next is in these. */
  test(numbers: readonly number[]): void {
    this.#next = numbers;
  }

  /** Of the run that begins now; undefined: it is in no session. */
  mocks(run: Run<Exchange>): RunMocks<Exchange> | undefined {
    const numbers = this.#next;
    if (numbers === undefined) return undefined;
    this.#next = undefined;
    const sessions = numbers.map((number) => this.#armed.get(number)).filter((session) => session !== undefined);
    return new SessionMocks(sessions, this.#flow, run, this.#tell);
  }
}
