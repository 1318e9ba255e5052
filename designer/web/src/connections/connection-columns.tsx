/** The columns of the list of connections. */
import { mayDo } from "../api/session.ts";
import { hashOf } from "../app/hash.ts";
import { Chip } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import type { Column } from "../ui/table.tsx";
import { words } from "../words.ts";
import { StateCell } from "./connection-state.tsx";
import type { ConnectionEntry, ConnectionKind } from "./connections-api.ts";
import { duplicateConnection } from "./create-connection.tsx";
import { removeConnection } from "./remove-connection.tsx";
import { showTest } from "./test-connection.tsx";

const { connections: texts } = words;

export function connectionColumns(
  target: string,
  kinds: readonly ConnectionKind[],
): readonly Column<ConnectionEntry>[] {
  const titleOf = ({ kind }: ConnectionEntry): string => kinds.find(({ name }) => name === kind)?.title ?? kind;
  const columns: readonly Column<ConnectionEntry>[] = [
    {
      id: "name",
      title: texts.connection,
      sortBy: ({ name }) => name,
      cell: ({ name, error, default: isDefault }) => (
        <span className="list-name">
          <a href={hashOf(["connections", name])}>{name}</a>
          {isDefault && (
            <Chip tone="accent" title={texts.defaultText}>
              {texts.default}
            </Chip>
          )}
          {error !== undefined && <span className="list-problem">{error}</span>}
        </span>
      ),
    },
    { id: "kind", title: texts.kind, wideOnly: true, sortBy: titleOf, cell: titleOf },
    {
      id: "servers",
      title: texts.servers,
      wideOnly: true,
      cell: ({ servers }) => servers.map(({ host, port }) => `${host}:${port}`).join(", "),
    },
    {
      id: "state",
      title: texts.state,
      sortBy: ({ state, error }) => (error === undefined ? state.status : ""),
      cell: (entry) => <StateCell entry={entry} />,
    },
    {
      id: "open",
      title: texts.openColumn,
      numeric: true,
      wideOnly: true,
      sortBy: ({ state }) => state.open,
      cell: ({ state: { open, idle, waiting }, maxConnections }) => (
        <span title={texts.openText(open, idle, waiting, maxConnections)}>
          {open} / {idle} / {waiting} <span className="faint">{texts.ofMost(maxConnections)}</span>
        </span>
      ),
    },
    {
      id: "users",
      title: texts.usedBy,
      sortBy: ({ usedBy }) => usedBy.length,
      cell({ usedBy }) {
        const flows = new Set(usedBy.map(({ flowId }) => flowId));
        return [...flows].slice(0, 3).join(", ") + (flows.size > 3 ? ` +${flows.size - 3}` : "");
      },
    },
  ];
  return mayDo("editor") ? [...columns, actions(target)] : columns;
}

function actions(target: string): Column<ConnectionEntry> {
  return {
    id: "actions",
    title: words.flows.columns.actions,
    untitled: true,
    cell: ({ name }) => (
      <Menu
        label={words.flows.actionsOf(name)}
        className="button quiet bare"
        items={[
          { label: texts.test, icon: "play", run: () => void showTest(target, name) },
          ...(mayDo("operator")
            ? ([
                { label: texts.duplicate, icon: "copy", run: () => void duplicateConnection(target, name) },
                { label: texts.remove, icon: "trash", danger: true, run: () => void removeConnection(target, name) },
              ] as const)
            : []),
        ]}
      >
        <Icon name="more" />
      </Menu>
    ),
  };
}
