/** Says so when what runs is not what the editor shows. */
import type { Options } from "../../../shared/wire.ts";
import type { Schemas } from "../api/runtime.ts";
import { optionsText } from "../deploy/options.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

interface DeployedNoteProps {
  readonly session: EditorSession;
  readonly flow: Schemas["FlowSummary"];
}

export function DeployedNote({ session, flow: { deployedHash, revision } }: DeployedNoteProps) {
  const { text, options, file } = useStore(session);
  const isShown =
    text === file.yaml && file.hash === deployedHash && withoutTests(options) === withoutTests(file.options);
  if (isShown) return null;
  return (
    <Note kind="warn">
      <p>{words.tryIt.olderRuns(revision)}</p>
    </Note>
  );
}

/** Tests change nothing of what runs. */
function withoutTests(options: Options): string {
  return optionsText({ ...options, tests: undefined });
}
