/** Failures that a step handles itself: announced when what it runs in their place has not failed, too. */
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";

/** Runs the processor in place of what failed with `error`. `by`: the construct and its line, for the record of the run. */
export function handledBy(processor: Processor, by: string, exchange: Exchange, error: unknown): void | Promise<void> {
  const { run } = exchange;
  const step = run.stepOf(error, exchange.step);
  const pending = processor(exchange);
  if (pending !== undefined) return pending.then(() => run.handled(step, error, by));
  run.handled(step, error, by);
}
