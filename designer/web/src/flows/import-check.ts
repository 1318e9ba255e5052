/** What the runtime's check finds in files that are to be imported. They are imported all the same: the editor is where one mends them. */
import { useEffect, useState } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import type { Target } from "../../../shared/wire.ts";
import { runtimeOf } from "../api/runtime.ts";
import { optionsToSend } from "../deploy/options.ts";
import { words } from "../words.ts";
import type { ImportedFlow } from "./import-files.ts";

/** More of a file nobody reads before it is opened. */
const mostShown = 3;

/** By file; a file without an entry is not checked yet, or has no problem. */
export function useImportCheck(
  flows: readonly ImportedFlow[],
  target: Target | undefined,
): ReadonlyMap<string, readonly string[]> {
  const [found, setFound] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  useEffect(() => {
    if (target === undefined) return undefined;
    const abort = new AbortController();
    const check = async (): Promise<void> => {
      for (const flow of flows) {
        const problems = await problemsOf(flow, target, abort.signal);
        if (abort.signal.aborted) return;
        if (problems.length > 0) setFound((before) => new Map([...before, [flow.file, problems]]));
      }
    };
    // A runtime that does not answer finds nothing; the frame of the page shows it.
    check().catch(() => {});
    return () => abort.abort();
  }, [flows, target]);
  return found;
}

async function problemsOf({ id, yaml, companion }: ImportedFlow, { name }: Target, signal: AbortSignal) {
  const { diagnostics } = await orThrow(
    runtimeOf(name).POST("/_api/flows/{id}/validate", {
      params: { path: { id } },
      body: { yaml, ...optionsToSend(companion?.options ?? {}) },
      signal,
    }),
  );
  const shown = diagnostics.slice(0, mostShown).map(({ line, message }) => words.flows.importFoundAt(line, message));
  const more = diagnostics.length - shown.length;
  return more === 0 ? shown : [...shown, words.flows.importFoundMore(more)];
}
