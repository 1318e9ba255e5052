/** The list of value mappings. */
import { mayDo } from "../api/session.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { groupColumn, MappingList, modifiedColumn, stateColumn } from "../mappings/mapping-list.tsx";
import type { MappingRow } from "../mappings/state.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import type { Column } from "../ui/table.tsx";
import { words } from "../words.ts";
import { createMapping, duplicateMapping } from "./create.tsx";
import { importNew } from "./import-csv.tsx";
import { removeMapping } from "./remove.tsx";

const texts = words.valueMappings;

export function MappingsScreen(_: ScreenProps) {
  return (
    <MappingList
      kind="value"
      icon="table"
      search={texts.search}
      actions={newActions}
      columns={columnsOf}
      firstSort="id"
      wordsOf={(row) => [...columnNames(row), ...usersOf(row)]}
      none={{ title: texts.none, text: texts.noneText }}
    />
  );
}

function newActions(target: string) {
  if (!mayDo("editor")) return null;
  return (
    <>
      <Button icon="upload" onClick={() => void importNew(target)}>
        {texts.importCsv}
      </Button>
      <Button kind="primary" icon="plus" onClick={() => void createMapping(target)}>
        {texts.create.title}
      </Button>
    </>
  );
}

/** Of what is installed: the workspace's files are not read for the list. */
function columnNames({ summary }: MappingRow): readonly string[] {
  return summary !== undefined && "columns" in summary ? summary.columns : [];
}

function rowCount({ summary }: MappingRow): number | undefined {
  return summary !== undefined && "rows" in summary ? summary.rows : undefined;
}

function usersOf({ summary }: MappingRow): readonly string[] {
  return [...new Set(summary?.usedBy.map((user) => ("mapping" in user ? user.mapping : user.flowId)))];
}

const columns: readonly Column<MappingRow>[] = [
  {
    id: "id",
    title: texts.mapping,
    sortBy: ({ id }) => id,
    cell: ({ id, name, entry, summary }) => (
      <span className="list-name">
        <a href={hashOf(["value-mappings", id])}>{id}</a>
        {name !== id && <span className="faint">{name}</span>}
        {(entry?.problem ?? summary?.error) !== undefined && (
          <span className="list-problem">{entry?.problem ?? summary?.error}</span>
        )}
      </span>
    ),
  },
  groupColumn,
  { id: "columns", title: texts.option.columns, wideOnly: true, cell: (row) => columnNames(row).join(", ") },
  {
    id: "rows",
    title: texts.rows,
    numeric: true,
    sortBy: rowCount,
    cell: (row) => rowCount(row)?.toLocaleString("en-GB"),
  },
  {
    id: "users",
    title: texts.panels.users,
    sortBy: (row) => usersOf(row).length,
    cell: (row) => {
      const users = usersOf(row);
      return users.slice(0, 3).join(", ") + (users.length > 3 ? ` +${users.length - 3}` : "");
    },
  },
  stateColumn,
  modifiedColumn,
];

function columnsOf(target: string): readonly Column<MappingRow>[] {
  return mayDo("editor") ? [...columns, actions(target)] : columns;
}

function actions(target: string): Column<MappingRow> {
  return {
    id: "actions",
    title: words.flows.columns.actions,
    untitled: true,
    cell: ({ id }) => (
      <Menu
        label={words.flows.actionsOf(id)}
        className="button quiet bare"
        items={[
          { label: texts.duplicate, icon: "copy", run: () => void duplicateMapping(target, id) },
          { label: texts.remove, icon: "trash", danger: true, run: () => void removeMapping(target, id) },
        ]}
      >
        <Icon name="more" />
      </Menu>
    ),
  };
}
