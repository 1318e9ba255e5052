/** What one does with an open flow as a whole. */
import { hashOf } from "../app/hash.ts";
import { StateChip } from "../flows/state-chip.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { words } from "../words.ts";
import { addPart } from "./actions/add-part.ts";
import { useSession } from "./canvas/context.ts";
import { DiskNote } from "./disk-note.tsx";
import { pickEntry } from "./picker/pick.tsx";
import { saveFlow } from "./save.tsx";
import type { EditorSession } from "./session/session.ts";
import { toolbarParts } from "./toolbar-parts.ts";
import { useFlowState } from "./use-flow-state.ts";

interface ToolbarProps {
  readonly session: EditorSession;
  readonly isEditable: boolean;
}

export function Toolbar({ session, isEditable }: ToolbarProps) {
  const undoLabel = useSession(session, (state) => state.undoLabel);
  const redoLabel = useSession(session, (state) => state.redoLabel);
  const dirty = useSession(session, (state) => state.dirty);
  const file = useSession(session, (state) => state.file);
  const isBroken = useSession(session, ({ broken }) => broken);
  return (
    <header className="workbench-bar editor-bar">
      <a className="workbench-back editor-back" href={hashOf(["flows"])}>
        {words.flows.title}
      </a>
      <h1>{file.name}</h1>
      <FlowStateChip session={session} />
      {dirty && <Chip tone="accent">{words.editor.unsaved}</Chip>}
      <DiskNote session={session} />
      {isBroken && <Chip tone="bad">{words.editor.broken}</Chip>}
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
          <Button
            icon="plus"
            onClick={(event) => {
              void pickEntry("element", event.currentTarget).then((picked) => {
                if (picked !== undefined) addPart(session, picked.entry.name);
              });
            }}
          >
            {words.editor.addPart}
          </Button>
          <Button icon="save" disabled={!dirty && !file.draft} onClick={() => void saveFlow(session)}>
            {words.editor.save}
          </Button>
        </>
      )}
      {toolbarParts.map(({ id, component: Part }) => (
        <Part key={id} session={session} />
      ))}
    </header>
  );
}

function FlowStateChip({ session }: Pick<ToolbarProps, "session">) {
  const { state, isKnown } = useFlowState(session);
  return <StateChip state={state} isKnown={isKnown} />;
}
