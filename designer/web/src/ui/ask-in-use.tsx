/** Asks whether something is deleted although it is in use, after its users were named. */
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { openDialog } from "./dialogs.tsx";

interface InUse {
  readonly title: string;
  readonly text: string;
  /** `onFollow`: called when a link to a user is followed. */
  readonly users: (onFollow: () => void) => ReactNode;
  /** What the button that deletes it says; undefined: it cannot be deleted as long as it is in use. */
  readonly remove: string | undefined;
  readonly keep: string;
}

/** @returns whether it is deleted all the same */
export async function askInUse({ title, text, users, remove, keep }: InUse): Promise<boolean> {
  const goesOn = await openDialog<true>((close) => (
    <Dialog
      title={title}
      onClose={() => close()}
      actions={
        <>
          {remove !== undefined && (
            <Button kind="danger" icon="trash" onClick={() => close(true)}>
              {remove}
            </Button>
          )}
          <Button kind="primary" onClick={() => close()}>
            {keep}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {users(() => close())}
    </Dialog>
  ));
  return goesOn === true;
}
