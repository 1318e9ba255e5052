/** Which limits were reached, how they stand, and what raises them. */

import { hashOf } from "../../app/hash.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { samplesOf } from "../samples.ts";
import type { PartProps } from "../tabs.ts";
import { LastKills } from "./last-kills.tsx";
import { type ReachedLimit, reachedLimits } from "./limit-rows.ts";
import { LimitTable } from "./limit-table.tsx";

const { limits: texts, units } = words.operations;

const columns: readonly Column<ReachedLimit>[] = [
  {
    id: "flow",
    title: words.runs.flow,
    sortBy: ({ flowId }) => flowId,
    cell: ({ flowId }) => (flowId === "" ? texts.runtime : <a href={hashOf(["flows", flowId])}>{flowId}</a>),
  },
  {
    id: "what",
    title: texts.what,
    sortBy: ({ what }) => texts.reached[what].title,
    cell: ({ what, detail }) => (
      <>
        {texts.reached[what].title} {detail !== "" && <span className="faint">({detail})</span>}
      </>
    ),
  },
  {
    id: "count",
    title: texts.count,
    numeric: true,
    sortBy: ({ count }) => count,
    cell: ({ count }) => units.count(count),
  },
  { id: "advice", title: texts.advice, wideOnly: true, cell: ({ what }) => texts.reached[what].advice },
];

export function LimitsPart({ target }: PartProps) {
  const samples = samplesOf(target);
  const { value, error } = useStore(samples);
  const rows = value === undefined ? [] : reachedLimits(value.metrics);
  const killed = [...new Set(rows.filter(({ what }) => what === "kills").map(({ flowId }) => flowId))];
  return (
    <>
      <section>
        <h2>{texts.hit}</h2>
        {error !== undefined && (
          <ErrorNote title={texts.notRead} error={error} onRetry={() => void samples.refresh()} />
        )}
        {value === undefined ? (
          error === undefined && <Loading />
        ) : rows.length === 0 ? (
          <p className="faint">{texts.none}</p>
        ) : (
          <>
            <Table
              label={texts.hit}
              columns={columns}
              rows={rows}
              keyOf={({ flowId, what, detail }) => `${flowId} ${what} ${detail}`}
            />
            <LastKills target={target} flows={killed} />
          </>
        )}
      </section>
      <LimitTable target={target} />
    </>
  );
}
