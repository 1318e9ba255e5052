/** The mappings of the workspace and of the chosen runtime, kept up to date as long as a component shows them. */
import { useMemo } from "react";
import { messageMappings, valueMappings, workspaceMappings } from "../api/cache.ts";
import type { Loaded } from "../api/polled.ts";
import { target } from "../api/target.ts";
import type { Store } from "../ui/store.ts";
import { useStore } from "../ui/use-store.ts";
import type { Mappings } from "./state.ts";

const nothing: Loaded<never> = { value: undefined, error: undefined, at: 0 };
const never: Pick<Store<Loaded<never>>, "get" | "subscribe"> = { get: () => nothing, subscribe: () => () => {} };

/** `isWanted` false: nothing is asked for. */
export function useMappings(isWanted: boolean | undefined = true): Mappings {
  const name = useStore(target)?.name;
  const isAsked = isWanted && name !== undefined;
  const entries = useStore(isWanted ? workspaceMappings() : never);
  const value = useStore(isAsked ? valueMappings(name) : never);
  const message = useStore(isAsked ? messageMappings(name) : never);
  return useMemo(
    () => ({ target: name, entries: entries.value, installed: { value: seen(value), message: seen(message) } }),
    [name, entries, value, message],
  );
}

/** What a runtime had when it was last seen says nothing while it does not answer. */
function seen<T>({ value, error }: Loaded<T>): T | undefined {
  return error === undefined ? value : undefined;
}
