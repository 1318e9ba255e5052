/** The list of runs, with filters that stand in the address. */
import { useMemo } from "react";
import { runtimeFlows } from "../api/cache.ts";
import { target } from "../api/target.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { Chip } from "../ui/chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { mostRuns, type Run, type RunFilter, runStatuses, runsOf, toneOf } from "./runs-list.ts";
import "./runs.css";

const columns: readonly Column<Run>[] = [
  {
    id: "started",
    title: words.runs.started,
    sortBy: ({ startedAt }) => startedAt,
    cell: ({ id, startedAt }) => (
      <a className="run-time" href={hashOf(["runs", id])}>
        {words.runs.at(startedAt)}
      </a>
    ),
  },
  { id: "status", title: words.runs.status, sortBy: ({ status }) => status, cell: statusCell },
  { id: "flow", title: words.runs.flow, sortBy: ({ flowId }) => flowId, cell: ({ flowId }) => flowId },
  {
    id: "route",
    title: words.runs.route,
    wideOnly: true,
    sortBy: ({ routeId }) => routeId,
    cell: ({ routeId }) => routeId,
  },
  { id: "trigger", title: words.runs.trigger, wideOnly: true, cell: ({ trigger: { kind } }) => kind },
  {
    id: "duration",
    title: words.runs.duration,
    numeric: true,
    sortBy: ({ durationMs }) => durationMs,
    cell: ({ durationMs }) => words.runs.ms(durationMs),
  },
  { id: "error", title: words.runs.error, wideOnly: true, cell: errorCell },
];

function statusCell({ status }: Run) {
  return <Chip tone={toneOf(status)}>{words.runs.statuses[status]}</Chip>;
}

function errorCell({ error }: Run) {
  return error === null ? "" : <span className="run-error">{error.message}</span>;
}

export function RunsScreen({ address: { query } }: ScreenProps) {
  const chosen = useStore(target);
  if (chosen === undefined)
    return <EmptyState icon="runs" title={words.app.noTarget} text={words.settings.noTargets} />;
  const { flow = "", route = "", status = "" } = query;
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{words.runs.title}</h1>
      </header>
      <RunsOf key={chosen.name} target={chosen.name} flow={flow} route={route} status={status} />
    </div>
  );
}

function RunsOf({ target: name, flow, route, status }: RunFilter & { readonly target: string }) {
  const list = useMemo(() => runsOf(name, { flow, route, status }), [name, flow, route, status]);
  const { value, error } = useStore(list);
  const isFiltered = flow !== "" || route !== "" || status !== "";
  return (
    <>
      <RunFilters target={name} filter={{ flow, route, status }} />
      {error !== undefined && (
        <ErrorNote title={words.runs.notRead} error={error} onRetry={() => void list.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <EmptyState
          icon="runs"
          title={isFiltered ? words.runs.noMatch : words.runs.none}
          text={isFiltered ? words.runs.noMatchText : words.runs.noneText}
        />
      ) : (
        <>
          <Table label={words.runs.title} columns={columns} rows={value} keyOf={({ id }) => id} />
          {value.length === mostRuns && <p className="faint">{words.runs.newest(mostRuns)}</p>}
        </>
      )}
    </>
  );
}

function RunFilters({ target: name, filter }: { readonly target: string; readonly filter: RunFilter }) {
  const flows = useStore(runtimeFlows(name)).value ?? [];
  const routes = flows.filter(({ id }) => filter.flow === "" || id === filter.flow).flatMap((flow) => flow.routes);
  const choose = (change: Partial<RunFilter>): void => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== "");
    location.hash = hashOf(["runs"], Object.fromEntries(next));
  };
  return (
    <search className="run-filters">
      <Choice
        label={words.runs.flow}
        all={words.runs.allFlows}
        value={filter.flow}
        options={flows.map(({ id }) => [id, id])}
        onChoose={(flow) => choose({ flow, route: "" })}
      />
      <Choice
        label={words.runs.route}
        all={words.runs.allRoutes}
        value={filter.route}
        options={routes.map(({ id }) => [id, id])}
        onChoose={(route) => choose({ route })}
      />
      <Choice
        label={words.runs.status}
        all={words.runs.allStatuses}
        value={filter.status}
        options={runStatuses.map((one) => [one, words.runs.statuses[one]])}
        onChoose={(status) => choose({ status })}
      />
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, all, value, options, onChoose }: ChoiceProps) {
  const isListed = value === "" || options.some(([one]) => one === value);
  return (
    <select className="input" aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{all}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
