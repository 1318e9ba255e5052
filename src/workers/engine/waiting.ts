/** Waiting that a run's cancelling ends. */

/** The longest time that one timer of the platform takes; longer ones are chained. */
const maxTimerMs = 2 ** 31 - 1;

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let left = ms;
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const next = (): void => {
      const part = Math.min(left, maxTimerMs);
      left -= part;
      timer = setTimeout(left > 0 ? next : done, part);
    };
    const done = (): void => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    signal.addEventListener("abort", abort, { once: true });
    next();
  });
}

/** The promise's outcome, or a rejection with the signal's reason if that comes first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** What the promise resolves with; undefined when `ms` pass before that. Rejects as the promise does, and with the signal's reason. */
export async function inTime<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, wait(ms, AbortSignal.any([signal, over.signal])).then(() => undefined)]);
  } finally {
    over.abort();
  }
}
