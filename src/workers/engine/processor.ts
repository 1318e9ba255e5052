/** The functions that steps and expressions compile to. */
import type { Exchange } from "./exchange.ts";

/** Changes the exchange, and throws on failure. Only a processor that must wait returns a promise. */
export type Processor = (exchange: Exchange) => void | Promise<void>;
/** Reads a value from the exchange. */
export type Expression = (exchange: Exchange) => unknown;
export type Predicate = (exchange: Exchange) => boolean;

/** Runs processors one after another until one stops the exchange. A list of synchronous ones uses no promise. */
export function pipeline(processors: readonly Processor[]): Processor {
  const [first, ...others] = processors;
  if (first === undefined) return () => {};
  if (others.length === 0) return first;
  return (exchange) => runFrom(processors, 0, exchange);
}

function runFrom(processors: readonly Processor[], from: number, exchange: Exchange): void | Promise<void> {
  for (let i = from; i < processors.length && !exchange.stopped; i++) {
    const pending = (processors[i] as Processor)(exchange);
    if (pending !== undefined) return pending.then(() => resume(processors, i + 1, exchange));
  }
}

/** Runs the rest of a pipeline after a wait, as a new segment of the run's CPU time. */
function resume(processors: readonly Processor[], from: number, exchange: Exchange): void | Promise<void> {
  const began = exchange.run.beginSegment();
  try {
    return runFrom(processors, from, exchange);
  } finally {
    exchange.run.endSegment(began);
  }
}
