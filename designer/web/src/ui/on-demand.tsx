/**
 * Parts of the page whose code is loaded when they are first shown, or before. React's `lazy` with `Suspense` keeps what
 * has been loaded back for up to 300 ms behind the placeholder, and keeps a failed load for ever.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Loading } from "./loading.tsx";
import { createStore } from "./store.ts";
import { useStore } from "./use-store.ts";

export type OnDemand<Props> = ComponentType<Props> & {
  /** Loads the code, unless it is there. Rejects when it cannot be loaded; the next call tries again. */
  load(): Promise<void>;
};

/**
 * @param load imports the component
 * @param placeholder what stands there meanwhile
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode = <Loading />,
): OnDemand<Props> {
  const loaded = createStore<{ readonly component?: ComponentType<Props> }>({});
  let loading: Promise<void> | undefined;
  const loadOnce = (): Promise<void> => {
    loading ??= load().then(
      (component) => loaded.set({ component }),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Part(props: Props): ReactNode {
    const { component: Shown } = useStore(loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      loadOnce().catch((error: unknown) => setFailure({ error }));
    }, []);
    // The error boundary around it shows the error, and mounts the part anew to try again.
    if (failure !== undefined) throw failure.error;
    return Shown === undefined ? placeholder : <Shown {...props} />;
  }
  return Object.assign(Part, { load: loadOnce });
}

/** Loads parts that are likely to be shown next, once the page has nothing else to do. @returns takes it back */
export function loadWhenIdle(parts: readonly Pick<OnDemand<never>, "load">[]): () => void {
  const run = (): void => {
    // Where a part is shown that could not be loaded, it is loaded again, and reports why it cannot be.
    for (const part of parts) part.load().catch(() => {});
  };
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(run, 200);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(run);
  return () => cancelIdleCallback(asked);
}
