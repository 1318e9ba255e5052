/** The catalogue of the runtime: what a flow can be made of. It changes with a restart of the runtime only. */
import { useMemo } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import { type Loaded, type Polled, polled } from "../api/polled.ts";
import { runtimeOf } from "../api/runtime.ts";
import { target } from "../api/target.ts";
import type { Catalog } from "../model/index.ts";
import { useStore } from "../ui/use-store.ts";

/** What is known while the runtime has not answered, or when it does not: forms show what is set, as text. */
const emptyCatalog: Catalog = {
  ...{ steps: [], components: [], languages: [], functions: [] },
  ...{ formats: [], elements: [], kamelets: [] },
};

const known = new Map<string, Polled<Catalog>>();

function catalogOf(name: string): Polled<Catalog> {
  const one =
    known.get(name) ??
    polled<Catalog>({
      load: async (signal) => {
        // The document types the schemas of options as any objects.
        const catalog: unknown = await orThrow(runtimeOf(name).GET("/_api/catalog", { signal }));
        return catalog as Catalog;
      },
      everyMs: 0,
      isVisible: () => true,
    });
  known.set(name, one);
  return one;
}

const nothing = { value: undefined, error: undefined, at: 0 };
const none = { get: () => nothing, subscribe: () => () => {} };

export function useCatalog(): { readonly catalog: Catalog; readonly isKnown: boolean } {
  const at = useStore(target)?.name;
  const { value } = useStore<Loaded<Catalog>>(useMemo(() => (at === undefined ? none : catalogOf(at)), [at]));
  return useMemo(() => ({ catalog: value ?? emptyCatalog, isKnown: value !== undefined }), [value]);
}
