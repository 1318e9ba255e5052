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
export function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
