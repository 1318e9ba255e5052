/** State outside of React: a value, and those who want to know when it changes. */
export interface Store<T> {
  get(): T;
  /** Sets the value, or computes it from the one before. Listeners are called unless it stays the same. */
  set(next: T | ((before: T) => T)): void;
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const after = typeof next === "function" ? (next as (before: T) => T)(value) : next;
      if (Object.is(after, value)) return;
      value = after;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
