/** The screen of one connection: its document as a form, its state, its users, and trials. */
import { useEffect, useState } from "react";
import { target } from "../api/target.ts";
import type { ScreenProps } from "../app/screens.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { ConnectionEditor } from "./connection-editor.tsx";
import { type OpenConnection, openConnection } from "./open-connections.ts";
import "../ui/list.css";
import "./connections.css";

export function ConnectionScreen({ address }: ScreenProps) {
  const name = address.rest[0] ?? "";
  const at = useStore(target)?.name ?? "";
  const [open, setOpen] = useState<OpenConnection>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads it again
  useEffect(() => {
    const abort = new AbortController();
    setOpen(undefined);
    setError(undefined);
    openConnection(at, name, abort.signal).then(
      (opened) => {
        if (!abort.signal.aborted) setOpen(opened);
      },
      (reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      },
    );
    return () => abort.abort();
  }, [at, name, tries]);
  if (error !== undefined) {
    return (
      <div className="screen">
        <ErrorNote title={words.connections.notOpened(name)} error={error} onRetry={() => setTries(tries + 1)} />
      </div>
    );
  }
  if (open === undefined || open.name !== name || open.target !== at) return <Loading />;
  return <ConnectionEditor key={`${at} ${name}`} connection={open} />;
}
