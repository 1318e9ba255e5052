/** What the list of flows shows of each. */
import { hashOf } from "../app/hash.ts";
import { Chip } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import type { Column } from "../ui/table.tsx";
import { words } from "../words.ts";
import { actionsOf } from "./flow-actions.ts";
import { type FlowRow, healths, isUsable } from "./rows.ts";
import { StateChip } from "./state-chip.tsx";

const tones = { none: "plain", good: "good", resting: "plain", failing: "warn", bad: "bad" } as const;

export const flowColumns: readonly Column<FlowRow>[] = [
  {
    id: "name",
    title: words.flows.columns.name,
    sortBy: ({ name }) => name,
    cell: (row) => <FlowName row={row} />,
  },
  {
    id: "category",
    title: words.flows.columns.category,
    wideOnly: true,
    sortBy: ({ category }) => (category === "" ? undefined : category),
    cell: ({ category }) => category,
  },
  {
    id: "state",
    title: words.flows.columns.state,
    sortBy: ({ state }) => state ?? words.flows.runtimeOnly,
    cell: (row) => isUsable(row) && <StateChip state={row.state} isKnown={row.isKnown} />,
  },
  {
    id: "health",
    title: words.flows.columns.health,
    wideOnly: true,
    sortBy: ({ health }) => -healths.indexOf(health),
    cell: ({ health, status }) =>
      status !== undefined && <Chip tone={tones[health]}>{words.flows.health(health, status)}</Chip>,
  },
  {
    id: "rate",
    title: words.flows.columns.rate,
    numeric: true,
    wideOnly: true,
    sortBy: ({ perMinute }) => perMinute,
    cell: ({ perMinute, running }) =>
      running !== undefined && (perMinute === undefined ? "…" : words.flows.perMinute(perMinute)),
  },
  {
    id: "errors",
    title: words.flows.columns.errors,
    numeric: true,
    wideOnly: true,
    sortBy: ({ errors }) => errors,
    cell: ({ errors }) => errors !== undefined && <span className={errors > 0 ? "flow-errors" : ""}>{errors}</span>,
  },
  {
    id: "modified",
    title: words.flows.columns.modified,
    wideOnly: true,
    sortBy: ({ modified }) => modified,
    cell: ({ modified }) => modified !== undefined && <span className="flow-time">{words.ui.time(modified)}</span>,
  },
  {
    id: "actions",
    title: words.flows.columns.actions,
    untitled: true,
    cell: (row) =>
      isUsable(row) && (
        <Menu label={words.flows.actionsOf(row.name)} className="button quiet bare" items={actionsOf(row)}>
          <Icon name="more" />
        </Menu>
      ),
  },
];

function FlowName({ row }: { readonly row: FlowRow }) {
  const { id, name, problem, entry } = row;
  return (
    <div className="list-name">
      {entry === undefined || !isUsable(row) ? <span>{name}</span> : <a href={hashOf(["flows", id])}>{name}</a>}
      {name !== id && <code className="faint">{id}</code>}
      {problem !== undefined && (
        <span className="list-problem">
          <Icon name="warn" /> {problem}
        </span>
      )}
    </div>
  );
}
