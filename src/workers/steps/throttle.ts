/** The `throttle` step (Camel: TotalRequestsThrottler, ConcurrentRequestsThrottler). */

import { boundedKey } from "../engine/bounded-text.ts";
import { convertTo } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { textIn } from "../engine/message-text.ts";
import type { Expression } from "../engine/processor.ts";
import { Semaphore, WaitingLine } from "../engine/semaphore.ts";
import { defineStep } from "../engine/step.ts";
import { after } from "../engine/waiting.ts";

/** The most passages that are remembered during the period. */
const mostRemembered = 100_000;

export class RequestRate {
  readonly #periodMs: number;
  /** A monotonic clock in milliseconds. */
  readonly #now: () => number;
  #limit = 0;
  /** When each passage expires, the oldest first; those before `#from` have expired. */
  #until: number[] = [];
  #from = 0;
  readonly #line = new WaitingLine();
  #stopTimer: (() => void) | undefined;

  constructor(periodMs: number, now: () => number) {
    this.#periodMs = periodMs;
    this.#now = now;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Throws LimitExceededException. */
  set limit(limit: number) {
    if (limit > mostRemembered) {
      const message = `a throttle counts at most ${mostRemembered} messages of a period: write a shorter timePeriodMillis`;
      throw new FlowException("LimitExceededException", message);
    }
    this.#limit = limit;
    if (this.#line.length > 0) this.#pass();
  }

  /** No message has passed within the period, and none waits. */
  get idle(): boolean {
    return this.#counted() === 0 && this.#line.length === 0;
  }

  tryTake(): boolean {
    if (this.#line.length > 0 || this.#counted() >= this.#limit) return false;
    this.#until.push(this.#now() + this.#periodMs);
    return true;
  }

  /** Rejects with the signal's reason if it aborts first. */
  async take(signal: AbortSignal): Promise<boolean> {
    const turn = this.#line.wait(signal);
    if (this.#stopTimer === undefined) this.#pass();
    try {
      return await turn;
    } finally {
      if (this.#line.length === 0) this.#rest();
    }
  }

  #counted(): number {
    const now = this.#now();
    while (this.#from < this.#until.length && (this.#until[this.#from] as number) <= now) this.#from += 1;
    if (this.#from > 1000 && this.#from * 2 > this.#until.length) {
      this.#until = this.#until.slice(this.#from);
      this.#from = 0;
    }
    return this.#until.length - this.#from;
  }

  #rest(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #pass(): void {
    this.#rest();
    while (this.#line.length > 0 && this.#counted() < this.#limit) {
      this.#until.push(this.#now() + this.#periodMs);
      this.#line.next();
    }
    const next = this.#until[this.#from];
    if (this.#line.length === 0 || next === undefined) return;
    // After the limit was lowered, more than one passage may have to expire; the timer then starts again.
    this.#stopTimer = after(Math.max(1, Math.ceil(next - this.#now())), () => this.#pass());
  }
}

/** The most groups of one step. A group that is idle may be dropped. */
const mostGroups = 10_000;
const noPools = "there are no thread pools here: leave the option out";

/** The gate of one group. */
type Gate = RequestRate | Semaphore;

export const throttle = defineStep({
  name: "throttle",
  docs: "Lets at most so many messages pass in a period, or be under way at the same time; others wait, or fail with rejectExecution.",
  options: (z, { expression, oneOf, duration, flag, only, idle, refused }) =>
    z.object({
      expression: expression("How many messages may pass; asked for each message, so that it may change."),
      mode: oneOf(
        ["TotalRequests", "ConcurrentRequests"],
        "`TotalRequests` counts messages in each period, `ConcurrentRequests` those under way at the same time.",
      ).default("TotalRequests"),
      timePeriodMillis: duration("The period in which messages are counted; only for `TotalRequests`.")
        .refine((ms) => ms > 0, "timePeriodMillis is at least 1 ms")
        .default(1000),
      correlationExpression: expression(
        "Gives a key: the messages of each key are counted for themselves. Without it all are counted together.",
      ).optional(),
      rejectExecution: flag(
        "A message too many fails with ThrottlerRejectedExecutionException; without this it waits.",
      ).default(false),
      asyncDelayed: idle(flag, "waiting never holds a thread here"),
      callerRunsWhenRejected: only(true, noPools),
      executorService: refused(noPools),
    }),
  example: 'throttle: { expression: { constant: { expression: "100" } }, timePeriodMillis: 1s }',
  stateful: true,
  compile({ expression, mode, timePeriodMillis, correlationExpression, rejectExecution }, context) {
    const maximum = context.expression(expression);
    const groupOf = correlationExpression === undefined ? undefined : context.expression(correlationExpression);
    const total = mode === "TotalRequests";
    const within = total ? ` within ${timePeriodMillis}ms` : "";
    const gates = new Map<string, Gate>();
    const make = (): Gate => (total ? new RequestRate(timePeriodMillis, () => performance.now()) : new Semaphore(0));
    return (exchange) => {
      const gate = gateOf(gates, groupOf === undefined ? "" : keyOf(groupOf, exchange), make);
      setLimit(gate, maximum(exchange));
      const { signal } = exchange.run;
      if (gate.tryTake()) return leaveAtEnd(gate, exchange);
      if (rejectExecution) {
        const message = `Exceeded the max throttle rate of ${gate.limit}${within}`;
        throw new FlowException("org.apache.camel.processor.ThrottlerRejectedExecutionException", message);
      }
      return gate.take(signal).then(() => leaveAtEnd(gate, exchange));
    };
  },
});

function leaveAtEnd(gate: Gate, exchange: Exchange): void {
  if (gate instanceof Semaphore) exchange.onDone(() => gate.give());
}

function keyOf(groupOf: Expression, exchange: Exchange): string {
  const value = groupOf(exchange);
  if (value !== null && value !== undefined) return boundedKey(textIn(exchange, value));
  throw new FlowException("java.lang.NullPointerException", "the throttle's correlationExpression has no value");
}

function gateOf(gates: Map<string, Gate>, key: string, make: () => Gate): Gate {
  const present = gates.get(key);
  if (present !== undefined) return present;
  if (gates.size >= mostGroups) for (const [other, { idle }] of gates) if (idle) gates.delete(other);
  if (gates.size >= mostGroups) {
    throw new FlowException("LimitExceededException", `a throttle has at most ${mostGroups} groups at the same time`);
  }
  const gate = make();
  gates.set(key, gate);
  return gate;
}

/** The expression is evaluated for each message; null keeps the maximum. */
function setLimit(gate: Gate, value: unknown): void {
  const limit = convertTo(value, "java.lang.Integer");
  if (typeof limit === "number" && limit < 0) {
    throw new FlowException(
      "java.lang.IllegalStateException",
      `a throttle's maximum is not negative, but it was ${limit}`,
    );
  }
  if (typeof limit === "number") {
    if (limit !== gate.limit) gate.limit = limit;
  } else if (gate.limit === 0) {
    const message = "the throttle's maximum has no value: its expression gave null";
    throw new FlowException("org.apache.camel.RuntimeExchangeException", message);
  }
}
