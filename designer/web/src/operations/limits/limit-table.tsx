/** Every limit of a runtime: how it stands, and what sets it. */
import { useState } from "react";
import { runtimeLimits } from "../../api/cache.ts";
import type { Schemas } from "../../api/runtime.ts";
import { found } from "../../app/search.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";

const { limits: texts, units } = words.operations;

const columns: readonly Column<Schemas["Limit"]>[] = [
  {
    id: "name",
    title: texts.name,
    sortBy: ({ name }) => name,
    cell: ({ name, docs }) => (
      <>
        <code>{name}</code>
        <br />
        <span className="faint">{docs}</span>
      </>
    ),
  },
  { id: "value", title: texts.value, numeric: true, cell: ({ value, unit }) => units.limit(value, unit) },
  {
    id: "default",
    title: texts.default,
    numeric: true,
    wideOnly: true,
    cell: ({ default: usual, unit }) => units.limit(usual, unit),
  },
  {
    id: "ceiling",
    title: texts.ceiling,
    numeric: true,
    wideOnly: true,
    cell: ({ ceiling, unit }) => (ceiling === null ? texts.notForFlows : units.limit(ceiling, unit)),
  },
  { id: "variable", title: texts.variable, wideOnly: true, cell: ({ variable }) => <code>{variable}</code> },
];

export function LimitTable({ target }: { readonly target: string }) {
  const limits = runtimeLimits(target);
  const { value, error } = useStore(limits);
  const [query, setQuery] = useState("");
  return (
    <section>
      <h2>{texts.all}</h2>
      {error !== undefined && (
        <ErrorNote title={texts.allNotRead} error={error} onRetry={() => void limits.refresh()} />
      )}
      {value !== undefined && (
        <>
          <div className="filters">
            <input
              type="search"
              className="input"
              aria-label={texts.find}
              placeholder={texts.find}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </div>
          <Table
            label={texts.all}
            columns={columns}
            rows={found(query, value, ({ name, docs, variable }) => `${name} ${docs} ${variable}`)}
            keyOf={({ name }) => name}
          />
        </>
      )}
    </section>
  );
}
