/** The screen of one flow: its drawing, with its form, its YAML and whatever else belongs to it beside. */
import { useEffect, useState } from "react";
import type { ScreenProps } from "../app/screens.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { words } from "../words.ts";
import { FlowEditor } from "./flow-editor.tsx";
import { openSession } from "./open-sessions.ts";
import type { EditorSession } from "./session/session.ts";

export function EditorScreen({ address }: ScreenProps) {
  const id = address.rest[0] ?? "";
  const [session, setSession] = useState<EditorSession>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads it again
  useEffect(() => {
    const abort = new AbortController();
    setSession(undefined);
    setError(undefined);
    openSession(id, abort.signal).then(
      (opened) => {
        if (!abort.signal.aborted) setSession(opened);
      },
      (reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      },
    );
    return () => abort.abort();
  }, [id, tries]);
  if (error !== undefined) {
    return (
      <div className="screen">
        <ErrorNote title={words.editor.notOpened(id)} error={error} onRetry={() => setTries(tries + 1)} />
      </div>
    );
  }
  if (session === undefined || session.id !== id) return <Loading />;
  return <FlowEditor key={id} session={session} query={address.query} />;
}
