/** Failures that a step handles itself: announced when what it runs in their place has not failed, too. */

import { mostHandled } from "../../shared/protocol.ts";
import { exceptionMessage, exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { failureDetails } from "./failure-details.ts";
import type { Count } from "./flow-scope.ts";
import type { Processor } from "./processor.ts";
import { remoteAnswer } from "./remote-answer.ts";
import type { Run } from "./run.ts";
import { told } from "./telling.ts";

/** Characters of the message of a handled failure. */
const mostMessage = 1000;

export interface Handler {
  /** The construct and its line, for the record of the run. */
  readonly by: string;
  /** Of its route. */
  readonly count: Count;
}

/** Runs the processor in place of what failed with `error`. */
export function handledBy(
  processor: Processor,
  { by, count }: Handler,
  exchange: Exchange,
  error: unknown,
): void | Promise<void> {
  const { run } = exchange;
  const step = run.stepOf(error, exchange.step);
  const pending = processor(exchange);
  const handled = (): void => {
    count("handled");
    announceHandled(run, step, error, by);
  };
  if (pending !== undefined) return pending.then(handled);
  handled();
}

/** Failures after which a step goes on with something else; whether they are handled is known at its end. */
export class PassedFailures {
  readonly #by: string;
  readonly #failures: { readonly step: number; readonly error: unknown }[] = [];

  constructor(by: string) {
    this.#by = by;
  }

  note({ run, step }: Exchange, error: unknown): void {
    if (this.#failures.length < mostHandled) this.#failures.push({ step: run.stepOf(error, step), error });
  }

  /** The step has ended without a failure. */
  handled({ run }: Exchange): void {
    for (const { step, error } of this.#failures) announceHandled(run, step, error, this.#by);
  }
}

/** Announces a failure that the flow has handled; `by`: the construct and its line. Only the first ones of a run are kept. */
export function announceHandled(run: Run<Exchange>, step: number, error: unknown, by: string): void {
  if (run.answered) return;
  if (run.traced) run.trace("failure.handled", step, 0, failureDetails(run, error, { by }));
  if (!run.takeHandled()) return;
  const { mask, sink, slot, timed } = run;
  const message = told(exceptionMessage(error), mask, mostMessage);
  const answer = timed ? remoteAnswer(error, mask) : undefined;
  const type = mask(exceptionType(error));
  sink.handled?.(slot, step, type, message, by, answer === undefined ? "" : JSON.stringify(answer));
}
