/** Whose fault the end of a host process may be. */
import type { RemoteThread } from "./remote-thread.ts";

/**
 * What a thread does last may cost its process. It has runs; one that did not tell what it uses was in the middle of something, and if
 * there is none, it is one of those that may have been. On a busy machine threads that only wait are silent for a moment, too: one that
 * has been for less than half as long as another is not meant. A process that was given up has ended for a thread that is known.
 */
export function suspects(threads: readonly RemoteThread[]): ReadonlySet<number> {
  const busy = threads.filter((thread) => thread.busy);
  const longest = Math.max(0, ...busy.map(({ silentForMs }) => silentForMs));
  const silent = busy.filter((thread) => thread.silent && thread.silentForMs >= longest / 2);
  const unsure = busy.filter((thread) => thread.unsure);
  const found = [silent, unsure, busy].find(({ length }) => length > 0) ?? [];
  return new Set(found.map(({ number }) => number));
}
