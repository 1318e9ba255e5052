/** A thread that takes its task and never sends a message. */
export function attach(): Promise<never> {
  return new Promise(() => setInterval(() => {}, 60_000));
}
