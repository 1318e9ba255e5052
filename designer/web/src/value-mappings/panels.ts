/** The panels beside the grid. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { words } from "../words.ts";
import type { MappingSession } from "./session.ts";

export interface PanelProps {
  readonly session: MappingSession;
  readonly isEditable: boolean;
}

interface Panel {
  readonly id: string;
  readonly title: string;
  readonly component: LazyExoticComponent<ComponentType<PanelProps>>;
}

const { panels: titles } = words.valueMappings;

export const panels: readonly Panel[] = [
  {
    id: "lookup",
    title: titles.lookup,
    component: lazy(async () => ({ default: (await import("./panel-lookup.tsx")).LookupPanel })),
  },
  {
    id: "problems",
    title: titles.problems,
    component: lazy(async () => ({ default: (await import("./panel-problems.tsx")).ProblemsPanel })),
  },
  {
    id: "options",
    title: titles.options,
    component: lazy(async () => ({ default: (await import("./panel-options.tsx")).OptionsPanel })),
  },
  {
    id: "tests",
    title: titles.tests,
    component: lazy(async () => ({ default: (await import("./panel-tests.tsx")).TestsPanel })),
  },
  {
    id: "users",
    title: titles.users,
    component: lazy(async () => ({ default: (await import("./panel-users.tsx")).UsersPanel })),
  },
  {
    id: "json",
    title: titles.json,
    component: lazy(async () => ({ default: (await import("./panel-json.tsx")).JsonPanel })),
  },
];
