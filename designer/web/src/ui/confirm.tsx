/** Asks before something that cannot be taken back. */
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { openDialog } from "./dialogs.tsx";

interface Question {
  readonly title: string;
  /** What happens, and what does not. */
  readonly text: string;
  /** The button that goes on: a verb. */
  readonly action: string;
  readonly danger?: boolean | undefined;
}

/** @returns whether the user goes on */
export async function confirm({ title, text, action, danger = false }: Question): Promise<boolean> {
  const answer = await openDialog<true>((close) => (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={() => close(true)}
      actions={
        <>
          <Button onClick={() => close()}>{words.ui.cancel}</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit">
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  ));
  return answer === true;
}
