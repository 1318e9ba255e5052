/** What flows use: over time as plots, and of a period as a table with its cost. */
import { useMemo, useState } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { polled } from "../../api/polled.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { PartProps } from "../tabs.ts";
import { usageRows } from "./costs.ts";
import { PriceFields } from "./price-fields.tsx";
import { prices } from "./prices.ts";
import { usageColumns } from "./usage-columns.tsx";
import { UsagePlots } from "./usage-plots.tsx";

const { usage: texts } = words.operations;
const periods = ["15m", "1h", "24h", "168h", ""] as const;
type Period = (typeof periods)[number];

export function UsagePart({ target }: PartProps) {
  return (
    <>
      <UsagePlots target={target} />
      <UsageTable target={target} />
    </>
  );
}

function UsageTable({ target }: { readonly target: string }) {
  const [period, setPeriod] = useState<Period>("1h");
  const [isGrouped, setGrouped] = useState(false);
  const usage = useMemo(
    () =>
      polled({
        load: (signal) => {
          const query = {
            groupBy: isGrouped ? ("group" as const) : ("flow" as const),
            ...(period !== "" && { since: period }),
          };
          return orThrow(runtimeOf(target).GET("/_api/usage", { params: { query }, signal }));
        },
        everyMs: 10_000,
        isVisible: () => !document.hidden,
      }),
    [target, period, isGrouped],
  );
  const priced = useStore(prices);
  const { value, error } = useStore(usage);
  const isPriced = priced.cpuHour > 0 || priced.gigabyte > 0;
  return (
    <section>
      <h2>{texts.table}</h2>
      <div className="filters">
        <select
          className="input"
          aria-label={texts.period}
          value={period}
          onChange={({ target: { value: chosen } }) => setPeriod(periods.find((one) => one === chosen) ?? "")}
        >
          {periods.map((one) => (
            <option key={one} value={one}>
              {texts.periods[one]}
            </option>
          ))}
        </select>
        <select
          className="input"
          aria-label={texts.groupBy}
          value={isGrouped ? "group" : "flow"}
          onChange={({ target: { value: chosen } }) => setGrouped(chosen === "group")}
        >
          <option value="flow">{texts.byFlow}</option>
          <option value="group">{texts.byGroup}</option>
        </select>
        <PriceFields />
      </div>
      {error !== undefined && <ErrorNote title={texts.notRead} error={error} onRetry={() => void usage.refresh()} />}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : (
        <>
          <Table
            label={texts.table}
            columns={usageColumns(isPriced, isGrouped)}
            rows={usageRows(value.usage, priced)}
            keyOf={({ id }) => id}
            firstSort={{ column: "cpu", descending: true }}
          />
          <p className="faint">{texts.covers(value.from, value.to)}</p>
        </>
      )}
    </section>
  );
}
