/** A part of a run that can be cancelled while the run continues. */
import { runBranch } from "./branch.ts";
import type { Exchange } from "./exchange.ts";
import type { Processor } from "./processor.ts";
import { Run } from "./run.ts";
import { after } from "./waiting.ts";

/**
 * Runs the processor on a copy of the exchange, which is the result. After `ms` milliseconds the part is cancelled, and
 * the error of `tooLate` is thrown. Steps that never wait cannot be interrupted: the time is then checked after them.
 */
export function withinTime(
  processor: Processor,
  exchange: Exchange,
  ms: number,
  tooLate: () => Error,
): Exchange | Promise<Exchange> {
  const { run } = exchange;
  const part = new Run(run.sink, run.limits, run.slot, run.hops, run);
  const branch = exchange.copy(part);
  branch.depth = exchange.depth;
  const end = (): void => addUp(run, part);
  const elapsed = (): number => performance.now() - part.began;
  let pending: void | Promise<void>;
  try {
    pending = runBranch(processor, branch);
  } catch (error) {
    end();
    throw elapsed() < ms ? error : tooLate();
  }
  if (pending !== undefined)
    return inTime(pending, part, run, ms - elapsed(), tooLate)
      .then(() => branch)
      .finally(end);
  end();
  if (elapsed() < ms) return branch;
  throw tooLate();
}

async function inTime(
  pending: Promise<void>,
  part: Run<Exchange>,
  run: Run<Exchange>,
  ms: number,
  tooLate: () => Error,
): Promise<void> {
  const { signal } = run;
  let stop = (): void => {};
  let abort = (): void => {};
  const given = new Promise<never>((_, reject) => {
    stop = after(ms, () => reject(tooLate()));
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    await Promise.race([pending, given]);
  } catch (error) {
    part.cancel("it was given up");
    // Lets cancelled steps end first, so that their events come before those of later steps.
    await Promise.race([pending.catch(() => {}), new Promise((resolve) => setImmediate(resolve))]);
    throw error;
  } finally {
    stop();
    signal.removeEventListener("abort", abort);
  }
}

export interface Part {
  readonly run: Run<Exchange>;
  /** Cancels its steps; waiting ones end at once. */
  giveUp(): void;
  /** Must be called once, when the part is no longer needed. */
  end(): void;
}

/** Makes a part for several exchanges, which is cancelled with its run. */
export function partOf(run: Run<Exchange>): Part {
  const part = new Run(run.sink, run.limits, run.slot, run.hops, run);
  const abort = (): void => part.cancel("its run was cancelled");
  if (run.cancelled) abort();
  else run.signal.addEventListener("abort", abort, { once: true });
  return {
    run: part,
    giveUp: () => part.cancel("it was given up"),
    end() {
      run.signal.removeEventListener("abort", abort);
      addUp(run, part);
    },
  };
}

/** Adds the cost of the part, and the place of its failure, to the run. */
function addUp(run: Run<Exchange>, part: Run<Exchange>): void {
  run.cpuMs += part.cpuMs;
  if (part.failedStep === -1) return;
  run.failure = part.failure;
  run.failedStep = part.failedStep;
  run.failedPreview = part.failedPreview;
}
