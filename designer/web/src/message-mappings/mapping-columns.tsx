/** What the list of message mappings shows of each. */
import { mayDo } from "../api/session.ts";
import { goTo } from "../app/address.ts";
import { hashOf } from "../app/hash.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import type { Column } from "../ui/table.tsx";
import { words } from "../words.ts";
import { duplicateMapping } from "./create-mapping.tsx";
import type { MappingSummary } from "./mapping-api.ts";
import { removeMapping } from "./remove-mapping.tsx";
import { UserLinks } from "./user-links.tsx";

/** The group of a mapping: its id up to the first dot; "": it is for every flow. */
export function groupOf(id: string): string {
  return id.includes(".") ? (id.split(".", 1)[0] ?? "") : "";
}

export function mappingColumns(target: string): readonly Column<MappingSummary>[] {
  const { columns } = words.messageMappings;
  return [
    { id: "name", title: columns.name, sortBy: nameOf, cell: (row) => <MappingName row={row} /> },
    {
      id: "group",
      title: columns.group,
      wideOnly: true,
      sortBy: ({ id }) => groupOf(id) || undefined,
      cell: ({ id }) => groupOf(id),
    },
    { id: "rules", title: columns.rules, numeric: true, sortBy: ({ rules }) => rules, cell: ({ rules }) => rules },
    {
      id: "usedBy",
      title: columns.usedBy,
      sortBy: ({ usedBy }) => usedBy.length,
      cell: ({ usedBy }) => <UserLinks users={usedBy} />,
    },
    {
      id: "modified",
      title: columns.modified,
      wideOnly: true,
      sortBy: ({ lastModified }) => lastModified,
      cell: ({ lastModified }) => lastModified !== "" && words.ui.time(lastModified),
    },
    {
      id: "actions",
      title: columns.actions,
      untitled: true,
      cell: (row) => (
        <Menu
          label={words.messageMappings.actionsOf(nameOf(row))}
          className="button quiet bare"
          items={actionsOf(target, row)}
        >
          <Icon name="more" />
        </Menu>
      ),
    },
  ];
}

function nameOf({ id, name }: MappingSummary): string {
  return name === "" ? id : name;
}

function actionsOf(target: string, { id }: MappingSummary): readonly MenuItem[] {
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

function MappingName({ row }: { readonly row: MappingSummary }) {
  const { id, error } = row;
  const name = nameOf(row);
  return (
    <div className="mapping-name">
      <a href={hashOf(["message-mappings", id])}>{name}</a>
      {name !== id && <code className="faint">{id}</code>}
      {error !== undefined && (
        <span className="mapping-problem">
          <Icon name="warn" /> {error}
        </span>
      )}
    </div>
  );
}
