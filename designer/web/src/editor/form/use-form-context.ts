/** Makes what the fields of a form share. */
import { useMemo } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { type Loaded, type Polled, polled } from "../../api/polled.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { target } from "../../api/target.ts";
import type { FlowTree } from "../../model/index.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { currentItem } from "../actions/places.ts";
import { type FormContext, placeholdersOf } from "./form-context.ts";

export function useFormContext(base: Pick<FormContext, "session" | "catalog" | "isKnown" | "isEditable">): FormContext {
  const { session, catalog, isKnown, isEditable } = base;
  const at = useStore(target)?.name;
  const mappings = useStore<Loaded<Mappings>>(useMemo(() => mappingsOf(at), [at])).value;
  return useMemo(
    (): FormContext => ({
      ...{ session, catalog, isKnown, isEditable },
      offers({ name, kind }, text) {
        const { tree, flow, options } = session.get();
        if (kind === "endpoint") return [...routeNames(tree), ...catalog.components.map((one) => `${one.name}:`)];
        const step = currentItem(session)?.name;
        if (name === "id" && step === "valueMapping") return mappings?.values ?? [];
        if (name === "id" && step === "messageMapping") return mappings?.messages ?? [];
        return text.includes("{") || /secret|password|token|key/i.test(name)
          ? placeholdersOf(flow, options["params"])
          : [];
      },
      change(title, join, make) {
        session.edit(make, { label: words.form.changed(title), join });
      },
    }),
    [session, catalog, isKnown, isEditable, mappings],
  );
}

/** Addresses of the routes of this flow that can be called by name. */
function routeNames({ routes }: FlowTree): readonly string[] {
  return routes.flatMap(({ trigger }) => {
    const [address = ""] = (trigger?.uri ?? "").split("?", 1);
    return /^(direct|seda):/.test(address) ? [address] : [];
  });
}

interface Mappings {
  readonly values: readonly string[];
  readonly messages: readonly string[];
}

const known = new Map<string, Polled<Mappings>>();

/** The mappings of a runtime; they are asked for anew when a form opens. */
function mappingsOf(name: string | undefined): Pick<Polled<Mappings>, "get" | "subscribe"> {
  if (name === undefined) return noMappings;
  const one =
    known.get(name) ??
    polled<Mappings>({
      load: async (signal) => {
        const client = runtimeOf(name);
        const [values, messages] = await Promise.all([
          orThrow(client.GET("/_api/value-mappings", { signal })),
          orThrow(client.GET("/_api/message-mappings", { signal })),
        ]);
        return { values: values.map(({ id }) => id), messages: messages.map(({ id }) => id) };
      },
      everyMs: 0,
      isVisible: () => true,
    });
  known.set(name, one);
  return one;
}

const nothing = { value: undefined, error: undefined, at: 0 };
const noMappings = { get: () => nothing, subscribe: () => () => {} };
