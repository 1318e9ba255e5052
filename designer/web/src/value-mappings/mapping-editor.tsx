/** An open value mapping: toolbar, grid and panels. */
import { useCallback, useEffect, useState } from "react";
import { mayDo } from "../api/session.ts";
import { hashOf } from "../app/hash.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { Grid } from "./grid.tsx";
import { GridBar } from "./grid-bar.tsx";
import { GridStatus } from "./grid-status.tsx";
import { MappingBar } from "./mapping-bar.tsx";
import { listenForUndo, mappingShortcuts } from "./mapping-shortcuts.ts";
import { panels } from "./panels.ts";
import type { MappingSession } from "./session.ts";
import "./panels.css";
import "../ui/workbench.css";
import "./value-mappings.css";

interface MappingEditorProps {
  readonly session: MappingSession;
  readonly panel: string | undefined;
}

export function MappingEditor({ session, panel }: MappingEditorProps) {
  const isEditable = mayDo("editor");
  const { draft, selection, problems, checked } = useStore(session);
  const first = draft.kind === "text" ? "json" : "lookup";
  const [shown, setShown] = useState(panels.some(({ id }) => id === panel) ? panel : first);
  const Panel = panels.find(({ id }) => id === shown)?.component;
  const show = useCallback(
    (id: string) => {
      setShown(id);
      // The address names the panel, without a step of the browser's history for each.
      history.replaceState(history.state, "", hashOf(["value-mappings", session.id], { panel: id }));
    },
    [session],
  );
  useEffect(() => (isEditable ? session.watch() : undefined), [session, isEditable]);
  useEffect(() => (isEditable ? listenForUndo(session) : undefined), [session, isEditable]);
  useEffect(
    () => bindShortcuts(words.valueMappings.title, mappingShortcuts(session, isEditable)),
    [session, isEditable],
  );
  const found = (checked?.problemCount ?? 0) + (checked?.warnings.length ?? 0);
  const counts: Readonly<Record<string, number | undefined>> = { problems: found === 0 ? undefined : found };
  return (
    <div className="workbench mapping">
      <MappingBar session={session} isEditable={isEditable} />
      <div className="workbench-body mapping-body">
        <section className="mapping-main" aria-label={words.valueMappings.grid}>
          {draft.kind === "text" ? (
            <EmptyState icon="table" title={words.valueMappings.noTable} text={draft.why} />
          ) : (
            <>
              <GridBar session={session} sheet={draft.document.sheet} isEditable={isEditable} />
              <Grid {...{ session, selection, problems, isEditable }} sheet={draft.document.sheet} />
              <GridStatus {...{ selection, problems }} sheet={draft.document.sheet} />
            </>
          )}
        </section>
        <aside className="mapping-panels" aria-label={words.editor.panelsLabel}>
          <Tabs
            label={words.editor.panelsLabel}
            tabs={panels.map(({ id, title }) => ({ id, label: title, count: counts[id] }))}
            selected={shown ?? ""}
            onSelect={show}
          >
            {Panel !== undefined && <Panel session={session} isEditable={isEditable} />}
          </Tabs>
        </aside>
      </div>
    </div>
  );
}
