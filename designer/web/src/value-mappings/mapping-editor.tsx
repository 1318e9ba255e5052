/** An open value mapping: toolbar, grid and panels. */
import { useCallback, useEffect, useState } from "react";
import { mayDo } from "../api/session.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { MappingBar } from "../mappings/mapping-bar.tsx";
import type { MappingFrame } from "../mappings/mapping-place.tsx";
import { Chip } from "../ui/chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { own } from "./document.ts";
import { Grid } from "./grid.tsx";
import { GridBar } from "./grid-bar.tsx";
import { GridStatus } from "./grid-status.tsx";
import { actionsOf } from "./mapping-actions.ts";
import { listenForUndo, mappingShortcuts } from "./mapping-shortcuts.ts";
import { panels } from "./panels.ts";
import type { MappingSession } from "./session.ts";
import "./panels.css";
import "../ui/workbench.css";
import "./value-mappings.css";

interface MappingEditorProps {
  readonly session: MappingSession;
  readonly frame: MappingFrame;
}

export function MappingEditor({ session, frame }: MappingEditorProps) {
  const isEditable = mayDo("editor");
  const { draft, selection, problems, checked, dirty, undoLabel, redoLabel } = useStore(session);
  const { panel, onPanel } = frame;
  const first = draft.kind === "text" ? "json" : "lookup";
  const [shown, setShown] = useState(panels.some(({ id }) => id === panel) ? panel : first);
  const Panel = panels.find(({ id }) => id === shown)?.component;
  const show = useCallback(
    (id: string) => {
      setShown(id);
      onPanel(id);
    },
    [onPanel],
  );
  useEffect(() => (isEditable ? session.watch() : undefined), [session, isEditable]);
  useEffect(() => (isEditable ? listenForUndo(session) : undefined), [session, isEditable]);
  useEffect(
    () => bindShortcuts(words.valueMappings.title, mappingShortcuts(session, isEditable)),
    [session, isEditable],
  );
  const found = (checked?.problemCount ?? 0) + (checked?.warnings.length ?? 0);
  const counts: Readonly<Record<string, number | undefined>> = { problems: found === 0 ? undefined : found };
  const name = draft.kind === "table" ? own(draft.document.fields, "name") : undefined;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return (
    <div className="workbench mapping">
      <MappingBar
        {...{ session, frame, isEditable, undoLabel, redoLabel }}
        name={typeof name === "string" && name !== "" ? name : session.id}
        isDirty={dirty}
        notes={errors > 0 && <Chip tone="bad">{words.valueMappings.problemCount(errors)}</Chip>}
        menuLabel={words.valueMappings.more}
        menuItems={actionsOf(session, isEditable)}
      />
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
