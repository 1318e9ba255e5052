/** What one does with an open mapping as a whole. */
import { useEffect } from "react";
import { hashOf } from "../app/hash.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { own } from "./document.ts";
import { actionsOf } from "./mapping-actions.ts";
import { mappingsOf, readMapping } from "./mappings-api.ts";
import { saveMapping, takeInstalled } from "./save.tsx";
import type { MappingSession } from "./session.ts";

interface MappingBarProps {
  readonly session: MappingSession;
  readonly isEditable: boolean;
}

export function MappingBar({ session, isEditable }: MappingBarProps) {
  const { draft, dirty, installed, undoLabel, redoLabel, problems } = useStore(session);
  const { id } = session;
  const name = draft.kind === "table" ? own(draft.document.fields, "name") : undefined;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return (
    <header className="workbench-bar mapping-bar">
      <a className="workbench-back mapping-back" href={hashOf(["value-mappings"])}>
        {words.valueMappings.title}
      </a>
      <h1 title={id}>{typeof name === "string" && name !== "" ? name : id}</h1>
      <code className="mapping-id">{id}</code>
      {dirty && <Chip tone="accent">{words.editor.unsaved}</Chip>}
      {errors > 0 && <Chip tone="bad">{words.valueMappings.problemCount(errors)}</Chip>}
      <ElsewhereNote session={session} />
      <span className="space" />
      {isEditable && (
        <>
          <IconButton
            icon="undo"
            label={words.editor.undo(undoLabel)}
            disabled={undoLabel === undefined}
            onClick={session.undo}
          />
          <IconButton
            icon="redo"
            label={words.editor.redo(redoLabel)}
            disabled={redoLabel === undefined}
            onClick={session.redo}
          />
        </>
      )}
      <Menu label={words.valueMappings.more} items={actionsOf(session, isEditable)} className="button">
        <Icon name="more" />
        {words.valueMappings.more}
      </Menu>
      {isEditable && (
        <Button
          kind="primary"
          icon="save"
          disabled={!dirty && installed !== undefined}
          onClick={() => void saveMapping(session)}
        >
          {words.editor.save}
        </Button>
      )}
    </header>
  );
}

/** A mapping without unsaved edits follows the runtime; one with them says that there is another version by now. */
function ElsewhereNote({ session }: { readonly session: MappingSession }) {
  const { installed, dirty } = useStore(session);
  const { value } = useStore(mappingsOf(session.target));
  const entry = value?.find(({ id }) => id === session.id);
  const isOther = entry !== undefined && installed !== undefined && !installed.etag.includes(entry.hash);
  useEffect(() => {
    if (!isOther || dirty) return undefined;
    const abort = new AbortController();
    readMapping(session.target, session.id, abort.signal).then(
      (now) => {
        const isNew = now.etag !== session.get().installed?.etag;
        if (!abort.signal.aborted && isNew) takeInstalled(session, now);
      },
      // The next look at the list tries again.
      () => undefined,
    );
    return () => abort.abort();
  }, [session, isOther, dirty]);
  return isOther && dirty ? (
    <Chip tone="warn" title={words.valueMappings.changedText}>
      {words.valueMappings.changed}
    </Chip>
  ) : null;
}
