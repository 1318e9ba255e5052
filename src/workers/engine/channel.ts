/**
 * Wraps each compiled step: cancelling, the step limit, timing, tracing and the place of a failure. A step that
 * succeeds synchronously while its run is not watched costs no object and no closure.
 */
import type { WireError } from "../../shared/protocol.ts";
import { Interest } from "../../shared/protocol.ts";
import { shownError } from "../../shared/redact.ts";
import { exceptionMessage, exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { preview } from "./preview.ts";
import type { Processor } from "./processor.ts";

/** The step inside a channel. */
export interface StepPlace {
  /** The index in the flow's step table. */
  readonly index: number;
  readonly id: string;
  readonly line: number;
}

/** The state of a step that waits. */
interface Entry {
  readonly place: StepPlace;
  readonly exchange: Exchange;
  /** The enclosing step. */
  readonly outer: number;
  /** The body as the step received it. */
  readonly received: unknown;
  /** performance.now(); 0 when times are not recorded. */
  readonly began: number;
  /** The entry in the run's recording; -1: none. */
  readonly recorded: number;
}

export function channel(step: Processor, place: StepPlace): Processor {
  const { index } = place;
  return (exchange) => {
    const { run } = exchange;
    const outer = exchange.step;
    const received = exchange.message.body;
    const { traced, recording } = run;
    const began = traced || run.timed ? performance.now() : 0;
    const recorded = recording === undefined ? -1 : recording.entered(exchange, index);
    exchange.step = index;
    try {
      run.enterStep();
      if (traced) run.trace("step.started", index, 0, messageText(exchange, "in"));
      const pending = run.mocks === undefined ? step(exchange) : run.mocks.step(exchange, index, step);
      if (pending !== undefined) return settle(pending, { place, exchange, outer, received, began, recorded });
    } catch (error) {
      failed({ place, exchange, outer, received, began, recorded }, error);
      throw error;
    }
    exchange.step = outer;
    if (began !== 0) completed(exchange, index, began, recorded);
  };
}

async function settle(pending: Promise<void>, entry: Entry): Promise<void> {
  try {
    await pending;
  } catch (error) {
    failed(entry, error);
    throw error;
  }
  entry.exchange.step = entry.outer;
  if (entry.began !== 0) completed(entry.exchange, entry.place.index, entry.began, entry.recorded);
}

function completed(exchange: Exchange, index: number, began: number, recorded: number): void {
  const { run } = exchange;
  const ended = performance.now();
  if (run.timed) {
    const timing = run.noteTiming(index, began, ended);
    run.recording?.left(recorded, exchange, timing);
  }
  if (run.traced) run.trace("step.completed", index, ended - began, messageText(exchange, "out"));
}

/**
 * Records where the failure came from. Enclosing channels catch the same error again and skip it. The preview has the
 * body that the failing step received, but the present headers: steps that change headers and then fail are rare, and a
 * copy of all headers before every step would be expensive.
 */
function failed({ place, exchange, outer, received, began, recorded }: Entry, error: unknown): void {
  const { run } = exchange;
  const ended = performance.now();
  exchange.step = outer;
  if (run.failure !== error || run.failedStep === -1) {
    run.failure = error;
    run.failedStep = place.index;
    run.failedPreview = run.timed
      ? preview(exchange.message.headers, received, run.limits.previewBytes, run.mask, exchange.message)
      : undefined;
  }
  const timing = run.timed ? run.noteTiming(place.index, began, ended) : -1;
  run.noteFailed(timing);
  if (run.timed) run.recording?.failed(recorded, exchange, timing, error);
  if (run.traced)
    run.trace(
      "step.failed",
      place.index,
      began === 0 ? 0 : ended - began,
      failureText(exchange, place, received, error),
    );
}

/** Returns `{"in": preview}` or `{"out": preview}` if previews are watched, else "". */
function messageText(exchange: Exchange, name: "in" | "out"): string {
  const { message } = exchange;
  return withinEvent(exchange, (budget) =>
    budget === 0
      ? ""
      : JSON.stringify({ [name]: preview(message.headers, message.body, budget, exchange.run.mask, message) }),
  );
}

function failureText(exchange: Exchange, { id, line }: StepPlace, received: unknown, thrown: unknown): string {
  const { mask, limits } = exchange.run;
  const error: WireError = {
    type: mask(exceptionType(thrown)),
    message: shownError(exceptionMessage(thrown), mask, limits.previewBytes),
    stepId: id,
    line,
  };
  return withinEvent(exchange, (budget) =>
    JSON.stringify(
      budget === 0
        ? { error }
        : { error, in: preview(exchange.message.headers, received, budget, mask, exchange.message) },
    ),
  );
}

/**
 * Renders a text with the budget that watchers request, reduced until it fits an event (JSON escapes make it longer).
 */
function withinEvent({ run }: Exchange, text: (budget: number) => string): string {
  const { interest } = run.sink;
  const { eventBytes, previewBytes } = run.limits;
  let budget = (interest & Interest.full) !== 0 ? eventBytes : (interest & Interest.preview) !== 0 ? previewBytes : 0;
  let result = text(budget);
  while (budget > 0 && result.length > eventBytes) {
    budget = budget < 256 ? 0 : Math.floor(budget / 2);
    result = text(budget);
  }
  return result;
}
