/** Deletes a flow: from the workspace, and from the runtime when the user wants that, too. */
import { useState } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import type { Target } from "../../../shared/wire.ts";
import { refreshFlows } from "../api/cache.ts";
import { runtimeOf } from "../api/runtime.ts";
import { mayDo } from "../api/session.ts";
import { deleteFlow } from "../api/workspace.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { FlowRow } from "./rows.ts";

interface Removal {
  readonly fromRuntime: boolean;
}

export async function removeFlow(row: FlowRow, target: Target | undefined): Promise<void> {
  const { id, entry, running } = row;
  const removal = await openDialog<Removal>((close) => <RemoveDialog row={row} target={target} close={close} />);
  if (removal === undefined) return;
  await attempt(words.flows.removeFailed(id), async () => {
    // The runtime first: when that fails, nothing has changed.
    if (removal.fromRuntime && running !== undefined && target !== undefined) {
      await orThrow(runtimeOf(target.name).DELETE("/_api/flows/{id}", { params: { path: { id } } }));
    }
    if (entry !== undefined) await deleteFlow(id, entry.etag);
    notify({ kind: "done", text: words.flows.removed(id) });
  });
  refreshFlows(target?.name);
}

interface RemoveDialogProps {
  readonly row: FlowRow;
  readonly target: Target | undefined;
  readonly close: (removal?: Removal) => void;
}

function RemoveDialog({ row: { id, name, entry, running }, target, close }: RemoveDialogProps) {
  const [isChosen, setChosen] = useState(false);
  const label = target?.label ?? "";
  const fromRuntime = entry === undefined || isChosen;
  return (
    <Dialog
      title={words.flows.removeTitle(name)}
      onClose={() => close()}
      onSubmit={() => close({ fromRuntime })}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind="danger" icon="trash" type="submit">
            {entry === undefined ? words.flows.removeFromRuntime(label) : words.flows.remove}
          </Button>
        </>
      }
    >
      <p>{entry === undefined ? words.flows.removeRuntimeText(label) : words.flows.removeText(id)}</p>
      {entry !== undefined && running !== undefined && (
        <>
          {mayDo("operator") && (
            <label className="check">
              <input type="checkbox" checked={isChosen} onChange={(event) => setChosen(event.target.checked)} />
              <span>{words.flows.removeRunning(label)}</span>
            </label>
          )}
          {!isChosen && <p className="faint">{words.flows.keepRunning(label)}</p>}
        </>
      )}
    </Dialog>
  );
}
