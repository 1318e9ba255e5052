/**
 * Failures that an error handler or a step handles: recorded on the exchange, and announced as handled once the
 * replacement steps have succeeded.
 */

import type { Limits } from "../../shared/limits.ts";
import { mostHandled, type WireError } from "../../shared/protocol.ts";
import { shownText } from "../../shared/redact.ts";
import type { Mask } from "../../shared/secret-mask.ts";
import { exceptionMessage, exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import type { Count } from "./flow-scope.ts";
import type { Processor } from "./processor.ts";
import { remoteAnswer } from "./remote-answer.ts";
import type { Run } from "./run.ts";
import { setProperty } from "./variables.ts";

/** The most characters of a failure's message in events and in the run's record. */
const mostMessage = 1000;

export interface Handler {
  /** The construct and its line, for the record of the run. */
  readonly by: string;
  /** Counts for its route. */
  readonly count: Count;
}

/** Runs the processor in place of the step that failed with `error`. */
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

/** Failures that a step ignores; whether they count as handled is known when the step ends. */
export class PassedFailures {
  readonly #by: string;
  readonly #failures: { readonly step: number; readonly error: unknown }[] = [];

  constructor(by: string) {
    this.#by = by;
  }

  note({ run, step }: Exchange, error: unknown): void {
    if (this.#failures.length < mostHandled) this.#failures.push({ step: run.stepOf(error, step), error });
  }

  /** Called when the step has ended without a failure. */
  handled({ run }: Exchange): void {
    for (const { step, error } of this.#failures) announceHandled(run, step, error, this.#by);
  }
}

/**
 * Announces a failure that the flow has handled; `by`: the construct and its line. Only the first ones of a run are
 * recorded.
 */
export function announceHandled(run: Run<Exchange>, step: number, error: unknown, by: string): void {
  if (run.answered) return;
  if (run.traced) run.trace("failure.handled", step, 0, failureDetails(run, error, { by }));
  if (!run.takeHandled()) return;
  const { mask, sink, slot, timed } = run;
  const message = shownText(exceptionMessage(error), mask, mostMessage);
  const answer = timed ? remoteAnswer(error, mask) : undefined;
  const type = mask(exceptionType(error));
  sink.handled?.(slot, step, type, message, by, answer === undefined ? "" : JSON.stringify(answer));
}

/**
 * The default error handler without redelivery: it only marks the failure as seen, so that handlers of callers ignore
 * it.
 */
export function noticing(step: Processor): Processor {
  const seen = (exchange: Exchange, error: unknown): never => {
    if (!isDone(exchange)) {
      setProperty(exchange, "CamelExceptionCaught", error);
      setProperty(exchange, "CamelFailureRouteId", exchange.routeId);
      setProperty(exchange, "CamelFailureEndpoint", exchange.properties.get("CamelToEndpoint"));
      exchange.failureHandled = true;
    }
    throw error;
  };
  return (exchange) => {
    try {
      return step(exchange)?.catch((error: unknown) => seen(exchange, error));
    } catch (error) {
      return seen(exchange, error);
    }
  };
}

/** Whether an inner error handler has handled the failure already, or the run must end. */
export function isDone(exchange: Exchange): boolean {
  return exchange.failureHandled || exchange.run.cancelled;
}

/**
 * Returns the details of a trace event about a failure that ends no step (tried again, or handled), as JSON within
 * `eventBytes`. The event itself has the place of the error.
 */
export function failureDetails(
  { limits, mask }: { readonly limits: Limits; readonly mask: Mask },
  error: unknown,
  more: Readonly<Record<string, string | number>>,
): string {
  // JSON may write a character as six, and the event has two texts.
  const most = Math.min(mostMessage, Math.floor(limits.eventBytes / 16));
  const message = shownText(exceptionMessage(error), mask, most);
  const shown: WireError = { type: mask(exceptionType(error), most), message, stepId: null, line: null };
  return JSON.stringify({ error: shown, ...more });
}
