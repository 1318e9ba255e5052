/** The list of the mappings of a kind: those of the workspace and those of the runtime. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import { refreshMappings, runtimeMappings, workspaceMappings } from "../api/cache.ts";
import { target } from "../api/target.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import type { IconName } from "../ui/icons.ts";
import { Loading } from "../ui/loading.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { groupOf } from "./group.ts";
import { type MappingRow, mappingRows } from "./state.ts";
import { MappingStateChip } from "./state-chip.tsx";
import { useMappings } from "./use-mappings.ts";
import "../ui/list.css";

const { mappings: texts } = words;

export interface MappingListProps {
  readonly kind: MappingKind;
  readonly icon: IconName;
  readonly search: string;
  /** Beside the title. `target`: the name of the runtime. */
  readonly actions: (target: string) => ReactNode;
  readonly columns: (target: string) => readonly Column<MappingRow>[];
  readonly firstSort: string;
  /** What the search looks into, beside id and name. */
  readonly wordsOf: (row: MappingRow) => readonly string[];
  readonly none: { readonly title: string; readonly text: string };
}

export function MappingList(props: MappingListProps) {
  const chosen = useStore(target);
  if (chosen === undefined)
    return <EmptyState icon={props.icon} title={words.app.noTarget} text={words.settings.noTargets} />;
  return <MappingsOf key={chosen.name} {...props} target={chosen.name} label={chosen.label} />;
}

const searchId = "mapping-search";
const noGroup = "-";

function MappingsOf({
  kind,
  icon,
  search,
  actions,
  columns: columnsOf,
  firstSort,
  wordsOf,
  none,
  target: name,
  label,
}: MappingListProps & { readonly target: string; readonly label: string }) {
  const mappings = useMappings();
  const installed = useStore(runtimeMappings(name, kind));
  const files = useStore(workspaceMappings());
  const [text, setText] = useState("");
  const [group, setGroup] = useState("");
  const columns = useMemo(() => columnsOf(name), [columnsOf, name]);
  useEffect(
    () =>
      bindShortcuts(texts.lists[kind], [
        { keys: "/", title: search, run: () => document.getElementById(searchId)?.focus() },
        { keys: "↑ ↓", title: words.flows.walk },
      ]),
    [kind, search],
  );
  const error = installed.error ?? files.error;
  const isKnown = installed.value !== undefined && files.value !== undefined;
  const all = mappingRows(mappings, kind);
  const groups = [...new Set(all.map(groupOf))].sort();
  const inGroup = (row: MappingRow): boolean => group === "" || groupOf(row) === (group === noGroup ? "" : group);
  const shown = all.filter((row) => inGroup(row) && fits([row.id, row.name, ...wordsOf(row)], text));
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{texts.lists[kind]}</h1>
        {actions(name)}
      </header>
      {error !== undefined && (
        <ErrorNote title={texts.notRead(label)} error={error} onRetry={() => refreshMappings(name)} />
      )}
      {!isKnown ? (
        error === undefined && <Loading />
      ) : all.length === 0 ? (
        <EmptyState icon={icon} {...none} />
      ) : (
        <>
          <search className="list-filters">
            <input
              id={searchId}
              type="search"
              className="input"
              aria-label={search}
              placeholder={search}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            {groups.length > 1 && (
              <select
                className="input"
                aria-label={texts.group}
                value={group}
                onChange={(event) => setGroup(event.target.value)}
              >
                <option value="">{texts.allGroups}</option>
                {groups.map((one) => (
                  <option key={one} value={one === "" ? noGroup : one}>
                    {one === "" ? texts.noGroup : one}
                  </option>
                ))}
              </select>
            )}
            <span className="faint" role="status">
              {texts.count(shown.length, all.length)}
            </span>
          </search>
          {shown.length === 0 ? (
            <EmptyState icon="search" title={texts.noMatch} text={texts.noMatchText}>
              <Button
                onClick={() => {
                  setText("");
                  setGroup("");
                }}
              >
                {texts.clearFilter}
              </Button>
            </EmptyState>
          ) : (
            <Table
              label={texts.lists[kind]}
              columns={columns}
              rows={shown}
              keyOf={({ id }) => id}
              firstSort={{ column: firstSort, descending: false }}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Columns that both kinds have. */
export const groupColumn: Column<MappingRow> = {
  ...{ id: "group", title: texts.group, wideOnly: true },
  sortBy: (row) => groupOf(row) || undefined,
  cell: groupOf,
};

export const stateColumn: Column<MappingRow> = {
  ...{ id: "state", title: texts.state },
  sortBy: ({ state }) => state,
  cell: (row) => <MappingStateChip row={row} />,
};

export const modifiedColumn: Column<MappingRow> = {
  ...{ id: "modified", title: words.flows.columns.modified, wideOnly: true },
  sortBy: modifiedOf,
  cell: (row) => modifiedOf(row) !== "" && words.ui.time(modifiedOf(row)),
};

function modifiedOf({ entry, summary }: MappingRow): string {
  return entry?.modified ?? summary?.lastModified ?? "";
}

/** Every word of the text is in one of these. */
function fits(where: readonly string[], text: string): boolean {
  const all = where.join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
