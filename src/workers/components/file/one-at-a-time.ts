/** Work on one file waits for other work on it (Camel: the locks of GenericFileProducer). */

/** Runs what it is given when all that was given for the same path before is over. */
export function oneAtATime(): <T>(path: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (path, work) => {
    const before = last.get(path);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(path, mine);
    try {
      return await mine;
    } finally {
      if (last.get(path) === mine) last.delete(path);
    }
  };
}
