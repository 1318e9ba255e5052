/** The list of flows. */
import { useEffect, useState } from "react";
import { refreshFlows } from "../api/cache.ts";
import { mayDo } from "../api/session.ts";
import type { ScreenProps } from "../app/screens.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { Table } from "../ui/table.tsx";
import { words } from "../words.ts";
import { filtered, noFilter } from "./filter.ts";
import { flowColumns } from "./flow-columns.tsx";
import { FlowFilters, focusSearch } from "./flow-filters.tsx";
import { useFlowRows } from "./use-flow-rows.ts";
import "./flows.css";

export function FlowsScreen(_: ScreenProps) {
  const { rows, target, workspaceError, runtimeError } = useFlowRows();
  const [filter, setFilter] = useState(noFilter);
  const isEditor = mayDo("editor");
  useEffect(
    () =>
      bindShortcuts(words.flows.title, [
        { keys: "/", title: words.flows.search, run: focusSearch },
        { keys: "↑ ↓", title: words.flows.walk },
      ]),
    [],
  );
  const shown = filtered(rows ?? [], filter);
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{words.flows.title}</h1>
      </header>
      {workspaceError !== undefined && (
        <ErrorNote title={words.flows.noWorkspace} error={workspaceError} onRetry={() => refreshFlows()} />
      )}
      {runtimeError !== undefined && target !== undefined && (
        <ErrorNote
          title={words.flows.noRuntime(target.label)}
          error={runtimeError}
          onRetry={() => refreshFlows(target.name)}
        />
      )}
      {rows === undefined ? (
        workspaceError === undefined && <Loading />
      ) : rows.length === 0 ? (
        <EmptyState
          icon="flows"
          title={words.flows.none}
          text={isEditor ? words.flows.noneText : words.flows.noneToView}
        />
      ) : (
        <>
          <FlowFilters rows={rows} filter={filter} onFilter={setFilter} shown={shown.length} />
          {shown.length === 0 ? (
            <EmptyState icon="search" title={words.flows.noMatch} text={words.flows.noMatchText}>
              <Button onClick={() => setFilter(noFilter)}>{words.flows.clearFilter}</Button>
            </EmptyState>
          ) : (
            <Table
              label={words.flows.title}
              columns={flowColumns}
              rows={shown}
              keyOf={({ id }) => id}
              firstSort={{ column: "name", descending: false }}
            />
          )}
        </>
      )}
    </div>
  );
}
