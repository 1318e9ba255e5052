/** What can be done with the list of flows as a whole: by its buttons, by keys, and from the command palette. */
import { useMemo, useRef } from "react";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { goTo } from "../app/address.ts";
import type { Command } from "../app/commands.ts";
import { openSeveral } from "../deploy/several-dialog.tsx";
import { chooseFiles } from "../ui/choose-files.ts";
import type { IconName } from "../ui/icons.ts";
import { words } from "../words.ts";
import { importFlows } from "./import-flows.tsx";
import { newFlow } from "./new-flow.tsx";
import { type FlowRow, isUsable } from "./rows.ts";

export interface ListAction {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  /** The one that is done most. */
  readonly isFirst?: boolean;
  /** Only of use when there are flows. */
  readonly needsFlows?: boolean;
  readonly run: () => void;
}

/** Empty for those who may change nothing. `shown`: the rows that pass the filters. */
export function useListActions(shown: readonly FlowRow[]): readonly ListAction[] {
  const latest = useRef(shown);
  latest.current = shown;
  const isEditor = mayDo("editor");
  return useMemo(() => (isEditor ? listActions(() => latest.current) : []), [isEditor]);
}

function listActions(shown: () => readonly FlowRow[]): readonly ListAction[] {
  const { create, fromRecipe, import: importTitle } = words.flows;
  return [
    { id: "new", title: create, icon: "plus", keys: "n", isFirst: true, run: () => void newFlow() },
    { id: "recipe", title: fromRecipe, icon: "recipes", keys: "t", run: () => goTo("recipes") },
    {
      id: "import",
      title: importTitle,
      icon: "upload",
      keys: "i",
      run: () => void chooseFiles(".yaml,.yml,application/yaml", true).then(importFlows),
    },
    {
      id: "deploy",
      title: words.deploy.several,
      icon: "deploy",
      keys: "d",
      needsFlows: true,
      run: () => void deployShown(shown()),
    },
  ];
}

/** Offers those that the runtime does not have as the disk has them. */
async function deployShown(rows: readonly FlowRow[]): Promise<void> {
  const on = target.get();
  if (on === undefined) return;
  const flows = rows.flatMap((row) =>
    row.state === undefined || row.state === "Deployed" || !isUsable(row)
      ? []
      : [{ id: row.id, name: row.name, state: row.state }],
  );
  await openSeveral(flows, on);
}

export function commandsOf(actions: readonly ListAction[]): readonly Command[] {
  return actions.map(({ id, title, icon, keys, run }) => ({
    ...{ title, icon, keys, run },
    id: `flows ${id}`,
    group: words.flows.title,
  }));
}
