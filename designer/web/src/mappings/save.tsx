/** Saves an open mapping where it lives: one that was changed there meanwhile is shown as a diff, and never written over unseen. */
import { ApiError } from "../../../../src/client/errors.ts";
import { DesignerError } from "../api/errors.ts";
import { sentenceOf } from "../api/sentence.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { type Base, isOvertaken, readAt, type Written, writeBase } from "./base.ts";
import type { OpenMapping } from "./open-mapping.ts";

const { mappings: texts } = words;

/** @returns whether the workspace, or the runtime of a mapping that lives there, has what the editor has now */
export async function saveMapping(session: OpenMapping): Promise<boolean> {
  const { text, base, isBroken } = session.now();
  const { id } = session;
  // On the disk it may be half written, as a flow may.
  if (isBroken && base.home === "runtime") {
    notify({ kind: "error", text: texts.notJson });
    return false;
  }
  try {
    const written = await writeBase(session, base, text);
    session.saved(written.base);
    report(id, written);
    return true;
  } catch (error) {
    if (isOvertaken(error)) return solveConflict(session);
    notify({ kind: "error", text: `${texts.saveFailed[base.home]} ${sentenceOf(error)}` });
    return false;
  }
}

function report(id: string, { answer }: Written): void {
  if (answer === undefined) {
    notify({ kind: "done", text: texts.saved(id) });
    return;
  }
  const { revision, passed, warnings } = answer;
  const warned = warnings.map(({ message }) => message).join(" · ");
  if (warned === "") notify({ kind: "done", text: texts.installed(id, revision, passed) });
  else notify({ kind: "warn", text: texts.installedWith(id, warned) });
}

type Choice = "theirs" | "mine";

async function solveConflict(session: OpenMapping): Promise<boolean> {
  const { text, base } = session.now();
  const { home } = base;
  let current: Base | undefined;
  try {
    current = await readAt(session, home);
  } catch (error) {
    if (!isMissing(error)) {
      notify({ kind: "error", text: `${texts.saveFailed[home]} ${sentenceOf(error)}` });
      return false;
    }
  }
  const choice = await openDialog<Choice>((close) => (
    <Dialog
      wide
      title={texts.conflict[home]}
      onClose={() => close()}
      actions={
        <>
          <Button onClick={() => close()}>{words.editor.goOnEditing}</Button>
          {current !== undefined && <Button onClick={() => close("theirs")}>{texts.theirs[home]}</Button>}
          <Button kind="danger" onClick={() => close("mine")}>
            {current === undefined ? words.editor.writeAgain : words.editor.writeMine}
          </Button>
        </>
      }
    >
      <p>{current === undefined ? texts.deletedText : texts.conflictText[home]}</p>
      {current !== undefined && (
        <DiffView label={texts.conflictDiff[home]} before={session.shown(current.text)} after={text} />
      )}
    </Dialog>
  ));
  if (choice === undefined) return false;
  if (choice === "theirs" && current !== undefined) {
    session.take(current, texts.theirs[home]);
    return true;
  }
  // What has been seen is written over, and nothing that came after it.
  session.based(current ?? { ...base, etag: undefined });
  return saveMapping(session);
}

function isMissing(error: unknown): boolean {
  return (error instanceof ApiError || error instanceof DesignerError) && error.status === 404;
}
