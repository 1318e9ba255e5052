/** Deletes a value mapping; one that is in use only after it was said by whom. */
import { ApiError } from "../../../../src/client/errors.ts";
import { sentenceOf } from "../api/sentence.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { deleteMapping, mappingsOf } from "./mappings-api.ts";
import { forgetMapping } from "./open-mappings.ts";
import { Users } from "./users.tsx";
import "./panels.css";

/** @returns whether it is deleted */
export async function removeMapping(target: string, id: string): Promise<boolean> {
  const { removeTitle, removeText, remove } = words.valueMappings;
  const goesOn = await confirm({ title: removeTitle(id), text: removeText, action: remove, danger: true });
  return goesOn && (await attemptRemoval(target, id, false));
}

async function attemptRemoval(target: string, id: string, force: boolean): Promise<boolean> {
  try {
    await deleteMapping(target, id, force);
  } catch (error) {
    if (!force && error instanceof ApiError && error.code === "mapping_in_use") return removeUsed(target, id, error);
    notify({ kind: "error", text: `${words.valueMappings.removeFailed(id)} ${sentenceOf(error)}` });
    return false;
  }
  forgetMapping(target, id);
  notify({ kind: "done", text: words.valueMappings.removed(id) });
  return true;
}

async function removeUsed(target: string, id: string, error: ApiError<string>): Promise<boolean> {
  const list = mappingsOf(target);
  await list.refresh();
  const users = list.get().value?.find((entry) => entry.id === id)?.usedBy ?? [];
  const goesOn = await openDialog<true>((close) => (
    <Dialog
      title={words.valueMappings.inUseTitle(id)}
      onClose={() => close()}
      actions={
        <>
          <Button kind="danger" icon="trash" onClick={() => close(true)}>
            {words.valueMappings.removeAnyway}
          </Button>
          <Button kind="primary" onClick={() => close()}>
            {words.valueMappings.keep}
          </Button>
        </>
      }
    >
      <p>{words.valueMappings.inUseText}</p>
      {users.length === 0 ? <p>{error.message}</p> : <Users users={users} onFollow={() => close()} />}
    </Dialog>
  ));
  return goesOn === true && attemptRemoval(target, id, true);
}
