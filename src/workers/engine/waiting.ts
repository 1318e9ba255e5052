/** Waits that end when a run is cancelled. */

/** The longest time of one timer of the platform; longer times use several. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls `action` after `ms` milliseconds, of any number; the returned function cancels it. */
export function after(ms: number, action: () => void): () => void {
  let left = ms;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    const part = Math.min(left, maxTimerMs);
    left -= part;
    timer = setTimeout(left > 0 ? next : action, part);
  };
  next();
  return () => clearTimeout(timer);
}

/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = after(ms, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    const abort = (): void => {
      stop();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, signal).catch(() => {});
}

/** Settles like the promise, or rejects with the signal's reason if it aborts first. Nobody else has to handle a failure of the promise. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // Without a handler a failure that comes later would end the thread.
    if (signal.aborted) {
      promise.catch(() => {});
      return reject(signal.reason);
    }
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    const end = (): void => signal.removeEventListener("abort", abort);
    endAs(promise, end, resolve, reject);
  });
}

/** Calls `end`, and then `resolve` or `reject`, when the promise settles. It makes no promise for that, as `finally` does. */
export function endAs<T>(
  promise: Promise<T>,
  end: () => void,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): void {
  promise.then(
    (value) => {
      end();
      resolve(value);
    },
    (error: unknown) => {
      end();
      reject(error);
    },
  );
}

/** Resolves like the promise, or with undefined after `ms`. Rejects like the promise, and with the signal's reason. */
export async function inTime<T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, wait(ms, AbortSignal.any([signal, over.signal])).then(() => undefined)]);
  } finally {
    over.abort();
  }
}

/** Calls `work` with a signal that is aborted with `signal`, and after `ms` with the error of `late`. `ms` 0 or less: it has no time. */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (ms <= 0) return await work(signal ?? new AbortController().signal);
  const over = new AbortController();
  const unlink = signal === undefined ? undefined : abortWith(over, signal);
  const cancel = after(ms, () => over.abort(late()));
  try {
    return await work(over.signal);
  } finally {
    cancel();
    unlink?.();
  }
}

/** Aborts the controller with the signal, until the returned function is called. AbortSignal.any costs twenty times as much. */
export function abortWith(controller: AbortController, signal: AbortSignal): () => void {
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
