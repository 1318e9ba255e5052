/** `finally` for processors, which wait or do not. */

/** Calls `then` when the work is over, however it ended. */
export function lastly(work: () => void | Promise<void>, then: () => void): void | Promise<void> {
  let pending: void | Promise<void>;
  try {
    pending = work();
  } catch (error) {
    then();
    throw error;
  }
  if (pending !== undefined) return pending.finally(then);
  then();
}
