/** An open mapping: the fields of the message, the rules, the fields of the result, and panels beside. */
import { type ComponentType, useEffect, useMemo, useState } from "react";
import { mayDo } from "../api/session.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import type { MappingFrame } from "../mappings/mapping-place.tsx";
import { onDemand } from "../ui/on-demand.tsx";
import { createStore } from "../ui/store.ts";
import { Tabs } from "../ui/tabs.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { Board } from "./board.tsx";
import { type Mapper, MapperProvider } from "./mapper.ts";
import { MapperBar } from "./mapper-bar.tsx";
import { listenForUndo, mappingShortcuts } from "./mapping-shortcuts.ts";
import { messagesOf, type TrialMessage } from "./message.ts";
import { type FieldNode, fieldsOfSample } from "./model/fields.ts";
import { MessagePanel } from "./panels/message-panel.tsx";
import { ResultPanel } from "./panels/result-panel.tsx";
import type { MappingSession } from "./session.ts";
import { trialOf } from "./trial.ts";
import "../ui/workbench.css";
import "./mapper.css";

const titles = words.messageMappings.panels;
const panels: readonly { readonly id: string; readonly label: string; readonly component: ComponentType }[] = [
  { id: "result", label: titles.result, component: ResultPanel },
  { id: "message", label: titles.message, component: MessagePanel },
  {
    id: "tests",
    label: titles.tests,
    component: onDemand(async () => (await import("./panels/tests-panel.tsx")).TestsPanel),
  },
  {
    id: "settings",
    label: titles.settings,
    component: onDemand(async () => (await import("./panels/settings-panel.tsx")).SettingsPanel),
  },
  {
    id: "text",
    label: titles.text,
    component: onDemand(async () => (await import("./panels/text-panel.tsx")).TextPanel),
  },
];

interface MappingEditorProps {
  readonly session: MappingSession;
  readonly frame: MappingFrame;
}

export function MappingEditor({ session, frame }: MappingEditorProps) {
  const { panel, onPanel } = frame;
  const mapper = useMemo(() => mapperOf(session), [session]);
  const [shown, setShown] = useState(panels.some(({ id }) => id === panel) ? (panel ?? "") : "result");
  const Panel = panels.find(({ id }) => id === shown)?.component;
  const show = (id: string): void => {
    setShown(id);
    onPanel(id);
  };
  useEffect(() => (mapper.isEditable ? mapper.trial.start() : undefined), [mapper]);
  useEffect(() => (mapper.isEditable ? listenForUndo(mapper) : undefined), [mapper]);
  useEffect(() => bindShortcuts(words.messageMappings.title, mappingShortcuts(mapper)), [mapper]);
  useEffect(() => {
    session.onRefused = (text) => notify({ kind: "warn", text });
    return () => {
      session.onRefused = () => {};
    };
  }, [session]);
  return (
    <MapperProvider value={mapper}>
      <div className="workbench mapper">
        <MapperBar frame={frame} />
        <div className="workbench-body mapper-body">
          <Board />
          <aside className="mapper-panel" aria-label={words.messageMappings.panelsLabel}>
            <Tabs label={words.messageMappings.panelsLabel} tabs={panels} selected={shown} onSelect={show}>
              {Panel !== undefined && <Panel />}
            </Tabs>
          </aside>
        </div>
      </div>
    </MapperProvider>
  );
}

function mapperOf(session: MappingSession): Mapper {
  const { json } = session.get();
  const message = createStore<TrialMessage>(messagesOf(json)[0] ?? { origin: "own", text: "{}", around: "" });
  return {
    session,
    message,
    trial: trialOf(session, message),
    picked: createStore<FieldNode | undefined>(undefined),
    source: createStore(fieldsOfSample({}, words.messageMappings.message)),
    isEditable: mayDo("editor"),
  };
}
