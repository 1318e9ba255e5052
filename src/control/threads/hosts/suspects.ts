/** Whose fault the end of a host process may be. */
import type { RemoteThread } from "./remote-thread.ts";

/**
 * What a thread does last may cost its process. It has runs; one that does not answer any more was in the middle of something, and if
 * there is none, it is one of those that were busy when they last answered, or were sent something after that. On a busy machine a
 * thread that only waits is late to answer, too, and its loop seems busy: the CPU time that each has used parts them. A process that
 * was given up has ended for a thread that is known.
 */
export function suspects(threads: readonly RemoteThread[]): ReadonlySet<number> {
  const busy = threads.filter((thread) => thread.busy);
  const silent = busy.filter((thread) => thread.silent && !thread.waits);
  const longest = Math.max(0, ...silent.map(({ silentForMs }) => silentForMs));
  const hot = busy.filter((thread) => thread.hot);
  const most = Math.max(0, ...hot.map(({ usedMs }) => usedMs));
  const found = [
    silent.filter(({ silentForMs }) => silentForMs >= longest / 2),
    busy.filter((thread) => wasSent(thread) || (thread.hot && thread.usedMs >= most / 2)),
    busy,
  ];
  return new Set(found.find(({ length }) => length > 0)?.map(({ number }) => number));
}

/** Whether it may have read what it was sent since it was asked: one that is silent and has not run since then has not. */
function wasSent(thread: RemoteThread): boolean {
  return thread.sentSince && !(thread.silent && thread.waits);
}
