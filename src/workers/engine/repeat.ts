/** Loops of processors: turns that need not wait make no promise and no stack. */
import type { Exchange } from "./exchange.ts";
import type { Run } from "./run.ts";

/** One turn; false: it was the last. */
export type Turn = () => boolean | Promise<boolean>;

/** Takes turns until one is the last or throws; after a wait a cancelled run has none. */
export function repeat(run: Run<Exchange>, turn: Turn): void | Promise<void> {
  let more: boolean | Promise<boolean> = true;
  while (more === true) more = turn();
  if (more !== false) return resume(run, more, turn);
}

/** After a wait each stretch of turns counts as a segment of the run's CPU time. */
async function resume(run: Run<Exchange>, pending: Promise<boolean>, turn: Turn): Promise<void> {
  let more = await pending;
  while (more) {
    if (run.cancelled) throw run.signal.reason;
    const began = run.beginSegment();
    let next: boolean | Promise<boolean> = true;
    try {
      while (next === true) next = turn();
    } finally {
      run.endSegment(began);
    }
    more = next !== false && (await next);
  }
}
