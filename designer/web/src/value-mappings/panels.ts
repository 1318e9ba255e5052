/** The panels beside the grid. */
import { type OnDemand, onDemand } from "../ui/on-demand.tsx";
import { words } from "../words.ts";
import type { MappingSession } from "./session.ts";

export interface PanelProps {
  readonly session: MappingSession;
  readonly isEditable: boolean;
}

interface Panel {
  readonly id: string;
  readonly title: string;
  readonly component: OnDemand<PanelProps>;
}

const { panels: titles } = words.valueMappings;

export const panels: readonly Panel[] = [
  {
    id: "lookup",
    title: titles.lookup,
    component: onDemand(async () => (await import("./panel-lookup.tsx")).LookupPanel),
  },
  {
    id: "problems",
    title: titles.problems,
    component: onDemand(async () => (await import("./panel-problems.tsx")).ProblemsPanel),
  },
  {
    id: "options",
    title: titles.options,
    component: onDemand(async () => (await import("./panel-options.tsx")).OptionsPanel),
  },
  {
    id: "tests",
    title: titles.tests,
    component: onDemand(async () => (await import("./panel-tests.tsx")).TestsPanel),
  },
  {
    id: "users",
    title: titles.users,
    component: onDemand(async () => (await import("./panel-users.tsx")).UsersPanel),
  },
  {
    id: "json",
    title: titles.json,
    component: onDemand(async () => (await import("./panel-json.tsx")).JsonPanel),
  },
];
