/** Failures that a step handles itself: announced when what it runs in their place has not failed, too. */
import type { Exchange } from "./exchange.ts";
import type { Count } from "./flow-scope.ts";
import type { Processor } from "./processor.ts";

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
    run.handled(step, error, by);
  };
  if (pending !== undefined) return pending.then(handled);
  handled();
}
