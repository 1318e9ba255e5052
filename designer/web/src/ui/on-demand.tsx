/**
 * Parts of the page whose code is loaded when they are first shown, or before. React's `lazy` with `Suspense` keeps what
 * has been loaded back for up to 300 ms behind the placeholder, and keeps a failed load for ever.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Loading } from "./loading.tsx";
import { createStore } from "./store.ts";
import { useStore } from "./use-store.ts";
import { whenIdle } from "./when-idle.ts";

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

/** Loads a part that is likely to be shown next. @returns takes it back */
export function loadWhenIdle({ load }: Pick<OnDemand<never>, "load">): () => void {
  // Where a part is shown that could not be loaded, it is loaded again, and the failure is reported.
  return whenIdle(() => void load().catch(() => {}));
}
