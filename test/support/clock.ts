/**
 * Where tests take time from; test/laws/clock.test.ts refuses every other source. Wait for an event with `eventually` rather than for a time: a
 * machine that is busy makes every time too short. What remains is load that comes at a pace (`pause`, `every`), what must not happen
 * (`quiet`), and figures.
 */

/** Milliseconds of a clock that never jumps. For figures, and for bounds below which nothing may end. */
export function monotonicMs(): number {
  return performance.now();
}

/** Milliseconds since 1970, as documents and headers have them. */
export function epochMs(): number {
  return Date.now();
}

/** A part of the load: a sender that waits, a server that answers late. Never a wait for something that a test expects. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** How long a test watches that something does not happen. A slow machine makes it miss a fault, and never fails for it. */
export function quiet(ms: number): Promise<void> {
  return pause(ms);
}

/** Resolves when all that is due has run: promises, and callbacks of sockets and files. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function onNextTurn(work: () => void): void {
  setImmediate(work);
}

/** @returns what ends it */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

/** @returns what takes it back; `keepsAlive`: the process waits for it */
export function after(ms: number, work: () => void, keepsAlive = true): () => void {
  const timer = setTimeout(work, ms);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

/** Aborts when a call hangs: a guard against a test without an end, an order of magnitude above what it takes. */
export function hanging(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

const pollMs = 10;
/** A probe that does not answer has this much more. */
const probeGraceMs = 60_000;

/**
 * Resolves when `probe` returns something other than undefined, null or false: for results that come at an unknown time. Throws an Error when
 * that does not come to pass, and when a probe never returns. A busy machine gets more time: the limit holds only after 600 probes, too.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  what: string,
  withinMs = 60_000,
): Promise<NonNullable<T>> {
  const until = monotonicMs() + withinMs;
  const silent = Promise.withResolvers<never>();
  // Tests count what keeps the process alive.
  const stop = after(10 * withinMs + probeGraceMs, () => silent.reject(new Error(`no answer to: ${what}`)), false);
  try {
    for (let probes = 1; ; probes += 1) {
      const found = await Promise.race([probe(), silent.promise]);
      if (found !== undefined && found !== false && found !== null) return found as NonNullable<T>;
      if (monotonicMs() > until && probes > withinMs / 100) throw new Error(`it did not come to pass: ${what}`);
      await pause(pollMs);
    }
  } finally {
    stop();
  }
}
