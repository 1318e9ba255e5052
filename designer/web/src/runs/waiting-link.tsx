/** Leads from a run that failed to its message, when that waits to be retried. */
import { useMemo } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import { polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { hashOf } from "../app/hash.ts";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

interface WaitingLinkProps {
  readonly target: string;
  readonly run: Pick<Schemas["RunDetail"], "id" | "flowId" | "routeId">;
}

export function WaitingLink({ target, run: { id, flowId, routeId } }: WaitingLinkProps) {
  const waiting = useMemo(
    () =>
      polled({
        load: (signal) =>
          orThrow(
            runtimeOf(target).GET("/_api/failed", {
              params: { query: { flowId, routeId, state: "waiting", limit: 500 } },
              signal,
            }),
          ),
        everyMs: 4000,
        isVisible: () => !document.hidden,
      }),
    [target, flowId, routeId],
  );
  const message = useStore(waiting).value?.find(({ runId }) => runId === id);
  return message === undefined ? null : <a href={hashOf(["failed", message.id])}>{words.runs.waits}</a>;
}
