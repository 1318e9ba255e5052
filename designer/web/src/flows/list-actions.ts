/** What can be done with the list of flows as a whole: by its buttons, by keys, and from the command palette. */
import type { Command } from "../app/commands.ts";
import type { IconName } from "../ui/icons.ts";
import { words } from "../words.ts";
import { chooseFiles } from "./choose-files.ts";
import { importFlows } from "./import-flows.tsx";
import { newFlow } from "./new-flow.tsx";

export interface ListAction {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly isFirst: boolean;
  readonly run: () => void;
}

const { create, import: importTitle } = words.flows;

export const listActions: readonly ListAction[] = [
  { id: "new", title: create, icon: "plus", keys: "n", isFirst: true, run: () => void newFlow() },
  {
    id: "import",
    title: importTitle,
    icon: "upload",
    keys: "i",
    isFirst: false,
    run: () => void chooseFiles().then(importFlows),
  },
];

export function commandsOf(actions: readonly ListAction[]): readonly Command[] {
  return actions.map(({ isFirst: _, ...action }) => ({
    ...action,
    id: `flows ${action.id}`,
    group: words.flows.title,
  }));
}
