/** What the list of message mappings shows of each. */
import { mayDo } from "../api/session.ts";
import { goTo } from "../app/address.ts";
import { hashOf } from "../app/hash.ts";
import { groupColumn, modifiedColumn, stateColumn } from "../mappings/mapping-list.tsx";
import type { MappingRow } from "../mappings/state.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import type { Column } from "../ui/table.tsx";
import { words } from "../words.ts";
import { duplicateMapping } from "./create-mapping.tsx";
import { removeMapping } from "./remove-mapping.tsx";
import { UserLinks } from "./user-links.tsx";

export function mappingColumns(target: string): readonly Column<MappingRow>[] {
  const { columns } = words.messageMappings;
  return [
    { id: "name", title: columns.name, sortBy: ({ name }) => name, cell: (row) => <MappingName row={row} /> },
    groupColumn,
    { id: "rules", title: columns.rules, numeric: true, sortBy: ruleCount, cell: ruleCount },
    {
      id: "usedBy",
      title: columns.usedBy,
      sortBy: ({ summary }) => summary?.usedBy.length ?? 0,
      cell: ({ summary }) => <UserLinks users={summary?.usedBy ?? []} />,
    },
    stateColumn,
    modifiedColumn,
    {
      id: "actions",
      title: columns.actions,
      untitled: true,
      cell: (row) => (
        <Menu
          label={words.messageMappings.actionsOf(row.name)}
          className="button quiet bare"
          items={actionsOf(target, row)}
        >
          <Icon name="more" />
        </Menu>
      ),
    },
  ];
}

function ruleCount({ summary }: MappingRow): number | undefined {
  return summary !== undefined && "rules" in summary ? summary.rules : undefined;
}

function actionsOf(target: string, { id }: MappingRow): readonly MenuItem[] {
  const reading: readonly MenuItem[] = [
    { label: words.messageMappings.open, icon: "right", run: () => goTo("message-mappings", id) },
  ];
  if (!mayDo("editor")) return reading;
  return [
    ...reading,
    { label: words.messageMappings.duplicate, icon: "copy", run: () => void duplicateMapping(target, id) },
    { label: words.messageMappings.remove, icon: "trash", danger: true, run: () => void removeMapping(target, id) },
  ];
}

function MappingName({ row: { id, name, entry, summary } }: { readonly row: MappingRow }) {
  const problem = entry?.problem ?? summary?.error;
  return (
    <div className="list-name">
      <a href={hashOf(["message-mappings", id])}>{name}</a>
      {name !== id && <code className="faint">{id}</code>}
      {problem !== undefined && (
        <span className="list-problem">
          <Icon name="warn" /> {problem}
        </span>
      )}
    </div>
  );
}
