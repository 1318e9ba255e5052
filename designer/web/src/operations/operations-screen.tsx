/** How a runtime does, what its flows use, who may call them, and what was changed. */
import { useEffect } from "react";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { offerCommands } from "../app/commands.ts";
import type { ScreenProps } from "../app/screens.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { samplesOf } from "./samples.ts";
import { showPart } from "./show-part.ts";
import { parts } from "./tabs.ts";
import "./operations.css";

export function OperationsScreen({ address: { query } }: ScreenProps) {
  const chosen = useStore(target);
  const name = chosen?.name;
  useEffect(
    () =>
      offerCommands(() =>
        seen().map(({ id, title }) => ({
          id: `operations ${id}`,
          title: words.operations.show(title),
          group: words.operations.title,
          icon: "right",
          run: () => showPart(id),
        })),
      ),
    [],
  );
  useEffect(() => {
    if (name !== undefined) samplesOf(name);
  }, [name]);
  if (name === undefined)
    return <EmptyState icon="operations" title={words.app.noTarget} text={words.settings.noTargets} />;
  const tabs = seen();
  const shown = tabs.find(({ id }) => id === query["tab"]) ?? tabs[0];
  const Shown = shown?.component;
  return (
    <div className="screen operations">
      <header className="screen-head">
        <h1>{words.operations.title}</h1>
      </header>
      <Tabs
        label={words.operations.parts}
        tabs={tabs.map(({ id, title }) => ({ id, label: title }))}
        selected={shown?.id ?? ""}
        onSelect={(id) => showPart(id)}
      >
        {Shown !== undefined && <Shown key={`${name} ${shown?.id}`} target={name} query={query} />}
      </Tabs>
    </div>
  );
}

function seen() {
  return parts.filter(({ least = "viewer" }) => mayDo(least));
}
