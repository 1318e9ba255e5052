/** What can be done with a flow of the list. */
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { goTo } from "../app/address.ts";
import { deployStored } from "../deploy/deploy-stored.ts";
import { startFlow, stopFlow } from "../deploy/operate.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { words } from "../words.ts";
import { bringIn } from "./bring-in.ts";
import { duplicateFlow } from "./duplicate-flow.tsx";
import { exportFlow } from "./export-flow.ts";
import { removeFlow } from "./remove-flow.tsx";
import { type FlowRow, isUsable } from "./rows.ts";

/** None for a file that is no flow: what is wrong with it has to be mended on the disk. */
export function actionsOf(row: FlowRow): readonly MenuItem[] {
  const { id, entry, running } = row;
  if (!isUsable(row)) return [];
  const on = target.get();
  const [isEditor, isOperator] = [mayDo("editor"), mayDo("operator")];
  const items: (MenuItem | false)[] = [
    entry !== undefined && { label: words.flows.open, icon: "right", run: () => goTo("flows", id) },
    entry !== undefined &&
      on !== undefined &&
      isEditor && { label: words.deploy.action, icon: "deploy", run: () => void deployStored(id, on) },
    entry === undefined &&
      on !== undefined &&
      isEditor && { label: words.flows.bringIn, icon: "download", run: () => void bringIn(id, on) },
    on !== undefined &&
      running !== undefined &&
      isOperator &&
      (running.state === "Stopped"
        ? { label: words.flows.start, icon: "play", run: () => void startFlow(id, on) }
        : { label: words.flows.stop, icon: "stop", run: () => void stopFlow(id, on) }),
    entry !== undefined &&
      isEditor && { label: words.flows.duplicate, icon: "copy", run: () => void duplicateFlow(row) },
    entry !== undefined && { label: words.flows.export, icon: "download", run: () => void exportFlow(id) },
    (entry === undefined ? isOperator : isEditor) && {
      label: words.flows.remove,
      icon: "trash",
      danger: true,
      run: () => void removeFlow(row, on),
    },
  ];
  return items.filter((item) => item !== false);
}
