/** Makes what the fields of a form share. */
import { useMemo } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import type { MappingKind } from "../../../../shared/mapping-uses.ts";
import { type Loaded, type Polled, polled } from "../../api/polled.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { target } from "../../api/target.ts";
import { listMappings } from "../../api/workspace-mappings.ts";
import { mayUse, namesConnection } from "../../connections/connection-use.ts";
import { secretsInText } from "../../model/index.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { currentItem } from "../actions/places.ts";
import { missingSecret, secretNames } from "../secret-names.ts";
import { callableRoutes } from "./callable-routes.ts";
import { type FormContext, placeholdersOf } from "./form-context.ts";

export function useFormContext(base: Pick<FormContext, "session" | "catalog" | "isKnown" | "isEditable">): FormContext {
  const { session, catalog, isKnown, isEditable } = base;
  const at = useStore(target)?.name;
  const named = useStore<Loaded<Named>>(useMemo(() => namedOn(at), [at])).value;
  const secrets = useStore(useMemo(() => secretNames(at, session.id), [at, session]));
  return useMemo(
    (): FormContext => ({
      ...{ session, catalog, isKnown, isEditable },
      offers({ name, kind }) {
        const { tree } = session.get();
        const connections = (named?.connections ?? []).filter((one) => mayUse(session.id, one));
        if (namesConnection(name)) return connections.map((one) => `#${one.name}`);
        if (kind === "endpoint")
          return [
            ...callableRoutes(session.id, tree, named?.flows ?? []),
            ...connections.map((one) => `jdbc:${one.name}`),
            ...catalog.components.map((one) => `${one.name}:`),
          ];
        const step = currentItem(session)?.name;
        if (name === "id" && step === "valueMapping") return named?.values ?? [];
        if (name === "id" && step === "messageMapping") return named?.messages ?? [];
        return [];
      },
      placeholders() {
        const { flow, options } = session.get();
        return placeholdersOf(flow, options["params"], secrets.value);
      },
      problemOf: (text) => missingSecret(session.id, secretsInText(text), secrets),
      change(title, join, make) {
        session.edit(make, { label: words.form.changed(title), join });
      },
    }),
    [session, catalog, isKnown, isEditable, named, secrets],
  );
}

interface Named {
  readonly flows: Parameters<typeof callableRoutes>[2];
  readonly values: readonly string[];
  readonly messages: readonly string[];
  readonly connections: readonly Parameters<typeof mayUse>[1][];
}

const known = new Map<string, Polled<Named>>();

/** What the runtime has that options name; it is asked for anew when a form opens. */
function namedOn(name: string | undefined): Pick<Polled<Named>, "get" | "subscribe"> {
  if (name === undefined) return noneNamed;
  const one =
    known.get(name) ??
    polled<Named>({
      load: async (signal) => {
        const client = runtimeOf(name);
        const [values, messages, flows, connections, files] = await Promise.all([
          orThrow(client.GET("/_api/value-mappings", { signal })),
          orThrow(client.GET("/_api/message-mappings", { signal })),
          orThrow(client.GET("/_api/flows", { signal })),
          orThrow(client.GET("/_api/connections", { signal })),
          listMappings(signal),
        ]);
        const idsOf = (kind: MappingKind, installed: readonly { readonly id: string }[]): readonly string[] => {
          const kept = files.filter((file) => file.kind === kind && file.hash !== "");
          return [...new Set([...installed, ...kept].map(({ id }) => id))].sort();
        };
        return { flows, connections, values: idsOf("value", values), messages: idsOf("message", messages) };
      },
      everyMs: 0,
      isVisible: () => true,
    });
  known.set(name, one);
  return one;
}

const nothing = { value: undefined, error: undefined, at: 0 };
const noneNamed = { get: () => nothing, subscribe: () => () => {} };
