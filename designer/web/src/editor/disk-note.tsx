/** What the disk has by now: a flow without unsaved changes follows it, for another one it is said. */
import { useEffect } from "react";
import { workspaceFlows } from "../api/cache.ts";
import { sentenceOf } from "../api/sentence.ts";
import { readFlow } from "../api/workspace.ts";
import { Chip } from "../ui/chip.tsx";
import { notify } from "../ui/toast.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { useSession } from "./canvas/context.ts";
import { takeFile } from "./save.tsx";
import type { EditorSession } from "./session/session.ts";

export function DiskNote({ session }: { readonly session: EditorSession }) {
  const { value, at } = useStore(workspaceFlows());
  const dirty = useSession(session, (state) => state.dirty);
  const file = useSession(session, (state) => state.file);
  const entry = value?.find(({ id }) => id === session.id);
  // What was listed before the last save says nothing of what came after it.
  const isOther = entry !== undefined && entry.etag !== file.etag && at > session.savedAt;
  const etag = isOther ? entry.etag : undefined;
  useEffect(() => {
    if (etag === undefined || session.get().dirty) return;
    readFlow(session.id).then(
      (current) => {
        if (!session.get().dirty) takeFile(session, current);
      },
      (error: unknown) => notify({ kind: "warn", text: sentenceOf(error) }),
    );
  }, [etag, session]);
  if (!isOther || !dirty) return null;
  return (
    <Chip tone="warn" title={words.editor.changedText}>
      {words.editor.changed}
    </Chip>
  );
}
