/** Says so when what runs is not what the editor shows. */
import type { Schemas } from "../api/runtime.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

interface DeployedNoteProps {
  readonly session: EditorSession;
  readonly flow: Schemas["FlowSummary"];
}

export function DeployedNote({ session, flow: { deployedHash, revision } }: DeployedNoteProps) {
  const { dirty, file } = useStore(session);
  if (!dirty && file.hash === deployedHash) return null;
  return (
    <Note kind="warn">
      <p>{words.tryIt.olderRuns(revision)}</p>
    </Note>
  );
}
