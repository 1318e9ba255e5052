/** The panels beside the canvas: each is loaded when it is first opened. A new panel is a line here. */
import { type OnDemand, onDemand } from "../ui/on-demand.tsx";
import { words } from "../words.ts";
import type { EditorSession } from "./session/session.ts";

export interface PanelProps {
  /** The open flow: `useStore(session)` reads it, `session.marks` shows something on its nodes. */
  readonly session: EditorSession;
}

interface Panel {
  /** In the address: `#/flows/orders?panel=yaml`. */
  readonly id: string;
  readonly title: string;
  readonly component: OnDemand<PanelProps>;
}

export const panels: readonly Panel[] = [
  {
    id: "form",
    title: words.editor.panels.form,
    component: onDemand(async () => (await import("./form/form-panel.tsx")).FormPanel),
  },
  {
    id: "yaml",
    title: words.editor.panels.yaml,
    component: onDemand(async () => (await import("./yaml/yaml-panel.tsx")).YamlPanel),
  },
  {
    id: "try",
    title: words.tryIt.title,
    component: onDemand(async () => (await import("../try/try-panel.tsx")).TryPanel),
  },
  {
    id: "live",
    title: words.live.title,
    component: onDemand(async () => (await import("../live/live-panel.tsx")).LivePanel),
  },
  {
    id: "runs",
    title: words.runs.title,
    component: onDemand(async () => (await import("../runs/runs-panel.tsx")).RunsPanel),
  },
  {
    id: "tests",
    title: words.tests.title,
    component: onDemand(async () => (await import("../tests/tests-panel.tsx")).TestsPanel),
  },
  {
    id: "revisions",
    title: words.revisions.title,
    component: onDemand(async () => (await import("./deploy/revisions-panel.tsx")).RevisionsPanel),
  },
  {
    id: "mappings",
    title: words.mappings.title,
    component: onDemand(async () => (await import("./mappings/mappings-panel.tsx")).MappingsPanel),
  },
  {
    id: "options",
    title: words.editor.panels.options,
    component: onDemand(async () => (await import("./options/options-panel.tsx")).OptionsPanel),
  },
];
