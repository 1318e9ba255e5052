/** An open flow: toolbar, canvas and panels. */
import { useCallback, useEffect, useState } from "react";
import { mayDo } from "../api/session.ts";
import { offerCommands } from "../app/commands.ts";
import { type Address, hashOf } from "../app/hash.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { notify } from "../ui/toast.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { addStep } from "./actions/edit-steps.ts";
import type { Place } from "./actions/paths.ts";
import { watchOtherFlows } from "./calls/other-flows.ts";
import { itemAt } from "./calls/places.ts";
import { Canvas } from "./canvas/canvas.tsx";
import { FailedNote } from "./deploy/failed-note.tsx";
import { watchDiagnostics } from "./diagnose.ts";
import { DrawnNote } from "./drawn-note.tsx";
import { editorCommands } from "./editor-commands.ts";
import { editorShortcuts, listenForUndo } from "./editor-shortcuts.ts";
import { besideOf } from "./mappings/beside.ts";
import { panels } from "./panels.ts";
import { stepOf } from "./picker/entries.ts";
import { pickEntry } from "./picker/pick.tsx";
import type { EditorSession } from "./session/session.ts";
import { Toolbar } from "./toolbar.tsx";
import "../ui/workbench.css";
import "./editor.css";

const MappingBeside = onDemand(async () => (await import("./mappings/mapping-beside.tsx")).MappingBeside);

interface FlowEditorProps {
  readonly session: EditorSession;
  readonly query: Address["query"];
}

export function FlowEditor({ session, query }: FlowEditorProps) {
  const { panel, mapping, tab } = query;
  const mayEdit = mayDo("editor");
  /** The mapping that is open in place of the panels. */
  const beside = besideOf(mapping);
  // The keys are those of the mapping then.
  const isEditable = mayEdit && beside === undefined;
  /** A revision that ran, which the canvas shows in place of the text. */
  const drawn = useStore(session.drawn);
  const [shown, setShown] = useState(panels.some(({ id }) => id === panel) ? panel : panels[0]?.id);
  const Panel = panels.find(({ id }) => id === shown)?.component;
  const show = useCallback(
    (id: string) => {
      setShown(id);
      // The address names the panel, without a step of the browser's history for each.
      history.replaceState(history.state, "", hashOf(["flows", session.id], { panel: id }));
    },
    [session],
  );
  useEffect(() => watchDiagnostics(session), [session]);
  useEffect(afterPaint(watchOtherFlows), []);
  // A link leads to a panel, to a route or to a step, also of a flow that is open already.
  useEffect(() => {
    const { panel: linked, called, calls } = query;
    if (panels.some(({ id }) => id === linked)) setShown(linked);
    if (called === undefined && calls === undefined) return;
    const { tree, index } = session.get();
    const key = itemAt(tree, index, { called, calls });
    if (key !== undefined) session.select([key]);
    // Without them in the address the same link leads here again.
    const { called: _, calls: __, ...rest } = query;
    history.replaceState(history.state, "", hashOf(["flows", session.id], rest));
  }, [session, query]);
  useEffect(() => (isEditable ? listenForUndo(session) : undefined), [session, isEditable]);
  useEffect(() => offerCommands(() => editorCommands(session, isEditable, show)), [session, isEditable, show]);
  useEffect(
    () => bindShortcuts(words.editor.title, editorShortcuts(session, { mayEdit, isBeside: !isEditable && mayEdit })),
    [session, mayEdit, isEditable],
  );
  useEffect(() => {
    session.onRefused = (text) => notify({ kind: "warn", text });
    return () => {
      session.onRefused = () => {};
    };
  }, [session]);
  const pickStep = useCallback(
    (place: Place, beside: Element) => {
      void pickEntry("step", beside).then((picked) => {
        if (picked !== undefined) addStep(session, place, stepOf(picked.entry, picked.catalog));
        requestAnimationFrame(focusSelected);
      });
    },
    [session],
  );
  const openForm = useCallback(() => {
    show("form");
    requestAnimationFrame(() => {
      document
        .querySelector<HTMLElement>("#editor-form :is(.field, .expression) :is(input, textarea, select)")
        ?.focus();
    });
  }, [show]);
  return (
    <div className="workbench editor">
      <Toolbar session={session} isEditable={isEditable} />
      <FailedNote session={session} />
      {drawn !== undefined && <DrawnNote drawn={drawn} />}
      <div className={beside === undefined ? "workbench-body editor-body" : "workbench-body editor-body beside"}>
        <Canvas
          {...{ pickStep, openForm }}
          session={drawn?.session ?? session}
          isEditable={isEditable && drawn === undefined}
        />
        {beside !== undefined ? (
          <MappingBeside use={beside} flowId={session.id} tab={tab} />
        ) : (
          <aside className="editor-panel" aria-label={words.editor.panelsLabel}>
            <Tabs
              label={words.editor.panelsLabel}
              tabs={panels.map(({ id, title }) => ({ id, label: title }))}
              selected={shown ?? ""}
              onSelect={show}
            >
              {Panel !== undefined && <Panel session={session} />}
            </Tabs>
          </aside>
        )}
      </div>
    </div>
  );
}

/** Begins what the first picture does not need. */
function afterPaint(begin: () => () => void): () => () => void {
  return () => {
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      end = begin();
    }, 200);
    return () => {
      clearTimeout(timer);
      end?.();
    };
  };
}

function focusSelected(): void {
  document.querySelector<HTMLElement>('.canvas .node[tabindex="0"]')?.focus({ preventScroll: true });
}
