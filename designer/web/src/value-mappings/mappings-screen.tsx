/** The list of value mappings of a runtime. */
import { useEffect, useState } from "react";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loading } from "../ui/loading.tsx";
import { Menu } from "../ui/menu.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { createMapping, duplicateMapping } from "./create.tsx";
import { importNew } from "./import-csv.tsx";
import { type MappingEntry, mappingsOf } from "./mappings-api.ts";
import { removeMapping } from "./remove.tsx";
import "../flows/flows.css";
import "./value-mappings.css";

const searchId = "mapping-search";

export function MappingsScreen(_: ScreenProps) {
  const chosen = useStore(target);
  useEffect(
    () =>
      bindShortcuts(words.valueMappings.title, [
        {
          keys: "/",
          title: words.valueMappings.search,
          run: () => document.getElementById(searchId)?.focus(),
        },
        { keys: "↑ ↓", title: words.flows.walk },
      ]),
    [],
  );
  if (chosen === undefined)
    return <EmptyState icon="table" title={words.app.noTarget} text={words.settings.noTargets} />;
  return <MappingsOf key={chosen.name} target={chosen.name} label={chosen.label} />;
}

function MappingsOf({ target: name, label }: { readonly target: string; readonly label: string }) {
  const list = mappingsOf(name);
  const { value, error } = useStore(list);
  const [search, setSearch] = useState("");
  const [group, setGroup] = useState("");
  const isEditor = mayDo("editor");
  const groups = [...new Set((value ?? []).map(groupOf))].filter((one) => one !== "").sort();
  const shown = (value ?? []).filter((entry) => (group === "" || groupOf(entry) === group) && hasAll(entry, search));
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{words.valueMappings.title}</h1>
        {isEditor && (
          <>
            <Button icon="upload" onClick={() => void importNew(name)}>
              {words.valueMappings.importCsv}
            </Button>
            <Button kind="primary" icon="plus" onClick={() => void createMapping(name)}>
              {words.valueMappings.create.title}
            </Button>
          </>
        )}
      </header>
      {error !== undefined && (
        <ErrorNote title={words.valueMappings.notRead(label)} error={error} onRetry={() => void list.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <EmptyState icon="table" title={words.valueMappings.none} text={words.valueMappings.noneText} />
      ) : (
        <>
          <search className="flow-filters">
            <input
              id={searchId}
              type="search"
              className="input"
              aria-label={words.valueMappings.search}
              placeholder={words.valueMappings.search}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            {groups.length > 0 && (
              <select
                className="input"
                aria-label={words.valueMappings.group}
                value={group}
                onChange={(event) => setGroup(event.target.value)}
              >
                <option value="">{words.valueMappings.allGroups}</option>
                {groups.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
            <span className="faint" role="status">
              {words.valueMappings.count(shown.length, value.length)}
            </span>
          </search>
          {shown.length === 0 ? (
            <EmptyState icon="search" title={words.valueMappings.noMatch} text={words.valueMappings.noMatchText} />
          ) : (
            <Table
              label={words.valueMappings.title}
              columns={isEditor ? [...columns, actions(name)] : columns}
              rows={shown}
              keyOf={({ id }) => id}
              firstSort={{ column: "id", descending: false }}
            />
          )}
        </>
      )}
    </div>
  );
}

const columns: readonly Column<MappingEntry>[] = [
  {
    id: "id",
    title: words.valueMappings.mapping,
    sortBy: ({ id }) => id,
    cell: ({ id, name, error }) => (
      <span className="flow-name">
        <a href={hashOf(["value-mappings", id])}>{id}</a>
        {name !== "" && <span className="faint">{name}</span>}
        {error !== undefined && <span className="flow-problem">{error}</span>}
      </span>
    ),
  },
  {
    id: "group",
    title: words.valueMappings.group,
    wideOnly: true,
    sortBy: groupOf,
    cell: groupOf,
  },
  {
    id: "columns",
    title: words.valueMappings.option.columns,
    wideOnly: true,
    cell: ({ columns: names }) => names.join(", "),
  },
  {
    id: "rows",
    title: words.valueMappings.rows,
    numeric: true,
    sortBy: ({ rows }) => rows,
    cell: ({ rows }) => rows.toLocaleString("en-GB"),
  },
  {
    id: "users",
    title: words.valueMappings.panels.users,
    sortBy: ({ usedBy }) => usedBy.length,
    cell: ({ usedBy }) => {
      const flows = new Set(usedBy.map((user) => ("mapping" in user ? user.mapping : user.flowId)));
      return [...flows].slice(0, 3).join(", ") + (flows.size > 3 ? ` +${flows.size - 3}` : "");
    },
  },
  {
    id: "modified",
    title: words.flows.columns.modified,
    wideOnly: true,
    sortBy: ({ lastModified }) => lastModified,
    cell: ({ lastModified }) => (lastModified === "" ? "" : words.ui.time(lastModified)),
  },
];

function actions(target: string): Column<MappingEntry> {
  return {
    id: "actions",
    title: words.flows.columns.actions,
    untitled: true,
    cell: ({ id }) => (
      <Menu
        label={words.flows.actionsOf(id)}
        className="button quiet bare"
        items={[
          { label: words.valueMappings.duplicate, icon: "copy", run: () => void duplicateMapping(target, id) },
          { label: words.valueMappings.remove, icon: "trash", danger: true, run: () => void removeMapping(target, id) },
        ]}
      >
        <Icon name="more" />
      </Menu>
    ),
  };
}

/** What stands before the first dot of the id: the flows that it is for. */
function groupOf({ id }: MappingEntry): string {
  const dot = id.indexOf(".");
  return dot < 0 ? "" : id.slice(0, dot);
}

/** Every word of the text is in the id, the name, a column or a user. */
function hasAll({ id, name, columns: names, usedBy }: MappingEntry, text: string): boolean {
  const users = usedBy.map((user) => ("mapping" in user ? user.mapping : user.flowId));
  const where = [id, name, ...names, ...users].join("\n").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
