/** Timers and sources, or all routes, with their states. */
import { useState } from "react";
import { runtimeFlows } from "../../api/cache.ts";
import type { Schemas } from "../../api/runtime.ts";
import { hashOf } from "../../app/hash.ts";
import { Chip } from "../../ui/chip.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { type TriggerRow, triggerRows } from "./trigger-rows.ts";

const { health: texts } = words.operations;
const tones = {
  Starting: "accent",
  Started: "good",
  Stopping: "plain",
  Stopped: "plain",
  Failed: "bad",
  Quarantined: "bad",
} as const;

const columns: readonly Column<TriggerRow>[] = [
  {
    id: "flow",
    title: words.runs.flow,
    sortBy: ({ flowId }) => flowId,
    cell: ({ flowId }) => <a href={hashOf(["flows", flowId])}>{flowId}</a>,
  },
  { id: "route", title: words.runs.route, sortBy: ({ routeId }) => routeId, cell: ({ routeId }) => routeId },
  { id: "kind", title: texts.kind, wideOnly: true, sortBy: ({ kind }) => kind, cell: ({ kind }) => texts.kinds[kind] },
  { id: "uri", title: texts.address, wideOnly: true, cell: ({ uri }) => <code className="address">{uri}</code> },
  {
    id: "status",
    title: texts.status,
    sortBy: ({ status }) => status,
    cell: ({ status }) => <Chip tone={tones[status]}>{status}</Chip>,
  },
  { id: "error", title: texts.error, wideOnly: true, cell: ({ lastError = "" }) => lastError },
];

export function Triggers({ target, health }: { readonly target: string; readonly health: Schemas["Health"] }) {
  const flows = useStore(runtimeFlows(target)).value;
  const [isAll, setAll] = useState(false);
  if (flows === undefined) return <Loading />;
  const rows = triggerRows(health.routes, flows);
  const shown = rows.filter(({ kind }) => isAll || kind === "clock" || kind === "source");
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} />
        {texts.allRoutes(rows.length)}
      </label>
      {shown.length === 0 ? (
        <p className="faint">{texts.noTrigger}</p>
      ) : (
        <Table
          label={texts.triggers}
          columns={columns}
          rows={shown}
          keyOf={({ flowId, routeId }) => `${flowId}/${routeId}`}
        />
      )}
    </>
  );
}
