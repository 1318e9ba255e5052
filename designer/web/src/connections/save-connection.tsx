/** Saves a connection over the version that was opened. When the runtime has another one by now, the person decides. */
import { ApiError } from "../../../../src/client/errors.ts";
import { sentenceOf } from "../api/sentence.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { type Installed, isConflict, readConnection, writeConnection } from "./connections-api.ts";
import { documentText, sentOf } from "./document.ts";
import type { OpenConnection } from "./open-connections.ts";

const { connections: texts } = words;

/** @returns whether the runtime has what the form has now */
export async function saveConnection(connection: OpenConnection): Promise<boolean> {
  const { target, name, store } = connection;
  const { draft, installed } = store.get();
  try {
    const { answer, installed: now } = await writeConnection(target, name, sentOf(draft), installed?.etag ?? null);
    store.set((before) => ({
      ...before,
      installed: now,
      // What was typed meanwhile stays.
      draft: before.draft === draft ? now.document : before.draft,
      refused: undefined,
    }));
    const { warnings } = answer;
    notify(
      warnings.length === 0
        ? { kind: "done", text: texts.saved(name, answer.revision) }
        : { kind: "warn", text: texts.savedWith(name, warnings.map(({ message }) => message).join(" · ")) },
    );
    return true;
  } catch (error) {
    if (isConflict(error)) return solveConflict(connection);
    if (error instanceof ApiError && error.code === "connection_invalid")
      store.set((before) => ({ ...before, refused: error.message }));
    else notify({ kind: "error", text: `${texts.saveFailed} ${sentenceOf(error)}` });
    return false;
  }
}

type Choice = "theirs" | "mine";

async function solveConflict(connection: OpenConnection): Promise<boolean> {
  const { target, name, store } = connection;
  let current: Installed | undefined;
  try {
    current = await readConnection(target, name);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) {
      notify({ kind: "error", text: `${texts.saveFailed} ${sentenceOf(error)}` });
      return false;
    }
  }
  const mine = documentText(sentOf(store.get().draft));
  const choice = await openDialog<Choice>((close) => <ConflictDialog {...{ current, mine, close }} />);
  if (choice === undefined) return false;
  if (choice === "theirs" && current !== undefined) {
    const { document } = current;
    store.set((before) => ({ ...before, installed: current, draft: document, refused: undefined }));
    return true;
  }
  // What has been seen is written over, and nothing that came after it.
  store.set((before) => ({ ...before, installed: current }));
  return saveConnection(connection);
}

interface ConflictDialogProps {
  readonly current: Installed | undefined;
  readonly mine: string;
  readonly close: (choice?: Choice) => void;
}

function ConflictDialog({ current, mine, close }: ConflictDialogProps) {
  return (
    <Dialog
      wide
      title={texts.conflict}
      onClose={() => close()}
      actions={
        <>
          <Button onClick={() => close()}>{words.editor.goOnEditing}</Button>
          {current !== undefined && <Button onClick={() => close("theirs")}>{texts.takeTheirs}</Button>}
          <Button kind="danger" onClick={() => close("mine")}>
            {current === undefined ? texts.writeAgain : texts.writeMine}
          </Button>
        </>
      }
    >
      <p>{current === undefined ? texts.deletedText : texts.conflictText}</p>
      {current !== undefined && (
        <DiffView label={texts.conflictDiff} before={documentText(current.document)} after={mine} />
      )}
    </Dialog>
  );
}
