/** A thread that takes its task and never says a word. */
export function attach(): Promise<never> {
  return new Promise(() => setInterval(() => {}, 60_000));
}
