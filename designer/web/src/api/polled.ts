/**
 * Something on a server that changes by itself: asked for as long as somebody looks, by all who look together, and not
 * while the page is hidden.
 */
import { createStore, type Store } from "../ui/store.ts";

export interface Loaded<T> {
  /** As it was last seen; also after an error. */
  readonly value: T | undefined;
  /** Why the last request failed. */
  readonly error: unknown;
  /** When the value was asked for, in ms since 1970. */
  readonly at: number;
}

export interface Polled<T> extends Pick<Store<Loaded<T>>, "get" | "subscribe"> {
  /** Asks now. Resolves when the answer is there, an error included. */
  refresh(): Promise<void>;
}

interface PollOptions<T> {
  readonly load: (signal: AbortSignal) => Promise<T>;
  /** 0: only when somebody begins to look, and at `refresh`. */
  readonly everyMs: number;
  /** Reports that the value may have changed, as long as somebody looks. @returns ends it */
  readonly follow?: ((onChange: () => void) => () => void) | undefined;
  /** Requests after a failure wait longer, up to this. */
  readonly longestMs?: number | undefined;
  /** Whether a value is the last one: it does not change any more, and is not asked for again. */
  readonly isLast?: ((value: T) => boolean) | undefined;
  /** Whether anybody can see the page. */
  readonly isVisible: () => boolean;
}

const usualLongestMs = 30_000;

export function polled<T>({
  load,
  everyMs,
  isLast = () => false,
  isVisible,
  follow = () => () => {},
  longestMs = usualLongestMs,
}: PollOptions<T>): Polled<T> {
  const store = createStore<Loaded<T>>({ value: undefined, error: undefined, at: 0 });
  let lookers = 0;
  let endFollow = (): void => {};
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;

  function ask(): Promise<void> {
    const abort = new AbortController();
    const at = Date.now();
    const done = load(abort.signal).then(
      (value) => {
        failures = 0;
        if (!abort.signal.aborted) store.set({ value, error: undefined, at });
      },
      (error: unknown) => {
        failures += 1;
        if (!abort.signal.aborted) store.set((before) => ({ ...before, error }));
      },
    );
    const mine = { abort, done };
    asked = mine;
    return done.finally(() => {
      if (asked !== mine) return;
      asked = undefined;
      schedule();
    });
  }

  function schedule(): void {
    clearTimeout(timer);
    const { value } = store.get();
    if (lookers === 0 || everyMs === 0 || (value !== undefined && isLast(value))) return;
    timer = setTimeout(
      () => {
        if (isVisible()) void ask();
        else schedule();
      },
      Math.min(Math.max(longestMs, everyMs), everyMs * 2 ** Math.min(failures, 5)),
    );
  }

  function refresh(): Promise<void> {
    // What was asked before may have been answered from before the change.
    asked?.abort.abort();
    return ask();
  }

  return {
    get: store.get,
    subscribe(listener) {
      const end = store.subscribe(listener);
      lookers += 1;
      if (lookers === 1) {
        endFollow = follow(() => void refresh());
        if (asked === undefined) void ask();
      }
      return () => {
        end();
        lookers -= 1;
        if (lookers > 0) return;
        endFollow();
        clearTimeout(timer);
        asked?.abort.abort();
        asked = undefined;
      };
    },
    refresh,
  };
}
