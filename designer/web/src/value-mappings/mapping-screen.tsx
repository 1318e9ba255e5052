/** The screen of one value mapping: its grid, with lookups, options, tests and users beside it. */
import { useEffect, useState } from "react";
import { target } from "../api/target.ts";
import type { ScreenProps } from "../app/screens.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { MappingEditor } from "./mapping-editor.tsx";
import { openMapping } from "./open-mappings.ts";
import type { MappingSession } from "./session.ts";

export function MappingScreen({ address }: ScreenProps) {
  const id = address.rest[0] ?? "";
  const name = useStore(target)?.name ?? "";
  const [session, setSession] = useState<MappingSession>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads it again
  useEffect(() => {
    const abort = new AbortController();
    setSession(undefined);
    setError(undefined);
    openMapping(name, id, abort.signal).then(
      (opened) => {
        if (!abort.signal.aborted) setSession(opened);
      },
      (reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      },
    );
    return () => abort.abort();
  }, [name, id, tries]);
  if (error !== undefined) {
    return (
      <div className="screen">
        <ErrorNote title={words.valueMappings.notOpened(id)} error={error} onRetry={() => setTries(tries + 1)} />
      </div>
    );
  }
  if (session === undefined || session.id !== id || session.target !== name) return <Loading />;
  return <MappingEditor key={`${name} ${id}`} session={session} panel={address.query["panel"]} />;
}
