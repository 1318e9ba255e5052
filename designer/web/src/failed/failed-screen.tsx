/** Messages whose runs have failed and that wait for somebody: the list. */
import { useMemo } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import { polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { target } from "../api/target.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import "../runs/runs.css";

type Failed = Schemas["FailedMessage"];

const columns: readonly Column<Failed>[] = [
  {
    id: "at",
    title: words.failed.at,
    sortBy: ({ at }) => at,
    cell: ({ id, at }) => (
      <a className="run-time" href={hashOf(["failed", id])}>
        {words.runs.at(at)}
      </a>
    ),
  },
  { id: "flow", title: words.runs.flow, sortBy: ({ flowId }) => flowId, cell: ({ flowId }) => flowId },
  {
    id: "route",
    title: words.runs.route,
    wideOnly: true,
    sortBy: ({ routeId }) => routeId,
    cell: ({ routeId }) => routeId,
  },
  {
    id: "error",
    title: words.runs.error,
    cell: ({ error }) => <span className="run-error">{error?.message ?? ""}</span>,
  },
  { id: "count", title: words.failed.count, numeric: true, sortBy: ({ count }) => count, cell: ({ count }) => count },
  { id: "attempts", title: words.failed.attempts, numeric: true, wideOnly: true, cell: ({ attempts }) => attempts },
];

export function FailedScreen(_: ScreenProps) {
  const name = useStore(target)?.name ?? "";
  const list = useMemo(
    () =>
      polled<readonly Failed[]>({
        load: (signal) =>
          orThrow(runtimeOf(name).GET("/_api/failed", { params: { query: { state: "waiting", limit: 500 } }, signal })),
        everyMs: 4000,
        isVisible: () => !document.hidden,
      }),
    [name],
  );
  const { value, error } = useStore(list);
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{words.failed.title}</h1>
      </header>
      {error !== undefined && (
        <ErrorNote title={words.failed.notRead} error={error} onRetry={() => void list.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <EmptyState icon="failed" title={words.failed.none} text={words.failed.noneText} />
      ) : (
        <Table label={words.failed.title} columns={columns} rows={value} keyOf={({ id }) => id} />
      )}
    </div>
  );
}
