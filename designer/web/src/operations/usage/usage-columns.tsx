/** What the table of usage shows of each flow. */
import { hashOf } from "../../app/hash.ts";
import type { Column } from "../../ui/table.tsx";
import { words } from "../../words.ts";
import type { UsageRow } from "./costs.ts";

const { usage: texts, units } = words.operations;

const columns: readonly Column<UsageRow>[] = [
  {
    id: "cpu",
    title: texts.cpu,
    numeric: true,
    sortBy: ({ cpuMs }) => cpuMs,
    cell: ({ cpuMs }) => units.duration(cpuMs),
  },
  {
    id: "share",
    title: texts.share,
    numeric: true,
    sortBy: ({ share }) => share,
    cell: ({ share }) => share !== undefined && units.percent(share),
  },
  {
    id: "memory",
    title: texts.memory,
    numeric: true,
    sortBy: ({ bytesNow }) => bytesNow,
    cell: ({ bytesNow }) => units.bytes(bytesNow),
  },
  {
    id: "peak",
    title: texts.peak,
    numeric: true,
    wideOnly: true,
    sortBy: ({ peakBytes }) => peakBytes,
    cell: ({ peakBytes }) => units.bytes(peakBytes),
  },
  {
    id: "threads",
    title: texts.threads,
    numeric: true,
    wideOnly: true,
    sortBy: ({ threadSeconds }) => threadSeconds,
    cell: ({ threadSeconds }) => units.duration(threadSeconds * 1000),
  },
  { id: "runs", title: texts.runs, numeric: true, sortBy: ({ runs }) => runs, cell: ({ runs }) => units.count(runs) },
  {
    id: "failed",
    title: texts.failed,
    numeric: true,
    wideOnly: true,
    sortBy: ({ failed }) => failed,
    cell: ({ failed }) => <span className={failed > 0 ? "bad" : ""}>{units.count(failed)}</span>,
  },
  {
    id: "perRun",
    title: texts.perRun,
    numeric: true,
    wideOnly: true,
    sortBy: ({ cpuPerRun }) => cpuPerRun,
    cell: ({ cpuPerRun }) => cpuPerRun !== undefined && units.duration(cpuPerRun),
  },
  {
    id: "traffic",
    title: texts.traffic,
    numeric: true,
    wideOnly: true,
    sortBy: ({ traffic }) => traffic,
    cell: ({ traffic }) => units.bytes(traffic),
  },
  {
    id: "calls",
    title: texts.calls,
    numeric: true,
    wideOnly: true,
    sortBy: ({ calls }) => calls,
    cell: ({ calls }) => units.count(calls),
  },
];

const cost: Column<UsageRow> = {
  id: "cost",
  title: texts.cost,
  numeric: true,
  sortBy: ({ cost }) => cost,
  cell: ({ cost }) => units.money(cost),
};

export function usageColumns(isPriced: boolean, isGrouped: boolean): readonly Column<UsageRow>[] {
  const name: Column<UsageRow> = {
    id: "id",
    title: isGrouped ? texts.group : words.runs.flow,
    sortBy: ({ id }) => id,
    cell: ({ id, isDeleted }) =>
      isGrouped ? (
        id === "" ? (
          texts.noGroup
        ) : (
          id
        )
      ) : isDeleted ? (
        <>
          {id} <span className="faint">{texts.deleted}</span>
        </>
      ) : (
        <a href={hashOf(["flows", id])}>{id}</a>
      ),
  };
  return isPriced ? [name, cost, ...columns] : [name, ...columns];
}
