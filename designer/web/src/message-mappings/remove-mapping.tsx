/** Deletes a message mapping. One that flows use is not deleted: who they are is shown. */

import { sentenceOf } from "../api/sentence.ts";
import { hashOf } from "../app/hash.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { deleteMapping, isCode, mappingsOf } from "./mapping-api.ts";
import { closeMapping } from "./open-sessions.ts";
import { UserLinks } from "./user-links.tsx";

/** @returns whether it is deleted */
export async function removeMapping(target: string, id: string): Promise<boolean> {
  const isMeant = await confirm({
    title: words.messageMappings.removeTitle(id),
    text: words.messageMappings.removeText,
    action: words.messageMappings.remove,
    danger: true,
  });
  if (!isMeant) return false;
  const isDone = await attempt(words.messageMappings.removeFailed(id), async () => {
    try {
      await deleteMapping(target, id);
      return true;
    } catch (error) {
      if (!isCode(error, "mapping_in_use")) throw error;
      await showUsers(target, id, sentenceOf(error));
      return false;
    }
  });
  if (isDone === true) {
    closeMapping(target, id);
    notify({ kind: "done", text: words.messageMappings.removed(id) });
    if (location.hash.startsWith(hashOf(["message-mappings", id]))) location.hash = hashOf(["message-mappings"]);
  }
  void mappingsOf(target).refresh();
  return isDone === true;
}

async function showUsers(target: string, id: string, refusal: string): Promise<void> {
  const list = mappingsOf(target);
  await list.refresh();
  const users = list.get().value?.find((one) => one.id === id)?.usedBy ?? [];
  await openDialog((close) => (
    <Dialog
      title={words.messageMappings.inUse(id)}
      onClose={() => close()}
      onSubmit={() => close()}
      actions={
        <Button kind="primary" type="submit">
          {words.ui.close}
        </Button>
      }
    >
      <p>{refusal}</p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link inside was followed */}
      <p onClick={() => close()}>
        <UserLinks users={users} />
      </p>
    </Dialog>
  ));
}
