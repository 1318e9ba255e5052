/** The revisions that the chosen runtime keeps of a flow. */
import { useCallback, useEffect, useState } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { ApiError } from "../../../../../src/client/errors.ts";
import { runtimeFlows } from "../../api/cache.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { useStore } from "../../ui/use-store.ts";
import { useSession } from "../canvas/context.ts";
import type { EditorSession } from "../session/session.ts";

/** With its YAML. */
export type Revision = Schemas["Revision"];

interface Revisions {
  /** Newest first; undefined: the runtime has not answered yet. */
  readonly revisions: readonly Revision[] | undefined;
  readonly error: unknown;
  readonly refresh: () => void;
}

/** `target`: the name of the runtime. They are read again when another revision runs. */
export function useRevisions(session: EditorSession, target: string): Revisions {
  const { id } = session;
  const flows = useStore(runtimeFlows(target)).value;
  const now = flows?.find((flow) => flow.id === id)?.revision;
  const isDeployed = useSession(session, ({ file }) => target in file.deployed);
  const isAsked = flows !== undefined;
  const [revisions, setRevisions] = useState<readonly Revision[]>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision, and another try, read them again
  useEffect(() => {
    const abort = new AbortController();
    if (!isAsked) return undefined;
    // One that never was there has none, and browsers report a 404 as an error of the page.
    if (now === undefined && !isDeployed) {
      setRevisions([]);
      return undefined;
    }
    readRevisions(id, target, abort.signal).then(
      (found) => {
        setRevisions(found);
        setError(undefined);
      },
      (reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      },
    );
    return () => abort.abort();
  }, [id, target, now, tries, isAsked, isDeployed]);
  return { revisions, error, refresh: useCallback(() => setTries((before) => before + 1), []) };
}

async function readRevisions(id: string, target: string, signal: AbortSignal): Promise<readonly Revision[]> {
  try {
    const params = { path: { id }, query: { yaml: true } };
    return await orThrow(runtimeOf(target).GET("/_api/flows/{id}/revisions", { params, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
