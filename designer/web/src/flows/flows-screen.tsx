/** The list of flows. */
import { useEffect, useState } from "react";
import { refreshFlows } from "../api/cache.ts";
import { mayDo } from "../api/session.ts";
import { offerCommands } from "../app/commands.ts";
import type { ScreenProps } from "../app/screens.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { Table } from "../ui/table.tsx";
import { words } from "../words.ts";
import { DropArea } from "./drop-area.tsx";
import { filtered, noFilter } from "./filter.ts";
import { flowColumns } from "./flow-columns.tsx";
import { FlowFilters, focusSearch } from "./flow-filters.tsx";
import { importFlows } from "./import-flows.tsx";
import { commandsOf, type ListAction, useListActions } from "./list-actions.ts";
import { useFlowRows } from "./use-flow-rows.ts";
import "../ui/list.css";
import "./flows.css";

export function FlowsScreen({ address }: ScreenProps) {
  const { rows, target, workspaceError, runtimeError } = useFlowRows();
  const [filter, setFilter] = useState({ ...noFilter, text: address.query["find"] ?? "" });
  const isEditor = mayDo("editor");
  const shown = filtered(rows ?? [], filter);
  const actions = useListActions(shown);
  useEffect(() => {
    const ends = [
      bindShortcuts(words.flows.title, [
        ...actions,
        { keys: "/", title: words.flows.search, run: focusSearch },
        { keys: "↑ ↓", title: words.flows.walk },
      ]),
      offerCommands(() => commandsOf(actions)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [actions]);
  return (
    <DropArea onFiles={isEditor ? (files) => void importFlows(files) : undefined}>
      <div className="screen">
        <header className="screen-head">
          <h1>{words.flows.title}</h1>
          {rows !== undefined && rows.length > 0 && <ActionButtons actions={actions.toReversed()} />}
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
          >
            <ActionButtons actions={actions.filter(({ needsFlows }) => needsFlows !== true)} />
          </EmptyState>
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
    </DropArea>
  );
}

function ActionButtons({ actions }: { readonly actions: readonly ListAction[] }) {
  return actions.map(({ id, title, icon, keys, isFirst, run }) => (
    <Button key={id} kind={isFirst === true ? "primary" : undefined} icon={icon} aria-keyshortcuts={keys} onClick={run}>
      {title}
    </Button>
  ));
}
