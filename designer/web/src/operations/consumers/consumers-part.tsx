/** Consumers of the runtime: routes whose messages come from files, databases and queues, with how each polls. */
import { runtimeHealth } from "../../api/cache.ts";
import { mayDo } from "../../api/session.ts";
import { hashOf } from "../../app/hash.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { FlowChoice } from "../flow-choice.tsx";
import { showPart } from "../show-part.ts";
import type { PartProps } from "../tabs.ts";
import { consumerColumns } from "./consumer-columns.tsx";

const { consumers: texts } = words.operations;

export function ConsumersPart({ target, query }: PartProps) {
  const health = runtimeHealth(target);
  const { value, error } = useStore(health);
  if (value === undefined)
    return error === undefined ? (
      <Loading />
    ) : (
      <ErrorNote title={words.operations.health.notRead} error={error} onRetry={() => void health.refresh()} />
    );
  const all = value.consumers ?? [];
  const flow = query["flow"];
  const flows = [...new Set(all.map(({ flowId }) => flowId))].sort();
  const shown = all.filter(({ flowId }) => flow === undefined || flowId === flow);
  if (all.length === 0) return <EmptyState icon="download" title={texts.none} text={texts.noneText} />;
  return (
    <>
      <div className="filters">
        <FlowChoice
          none={texts.allFlows}
          flows={flows}
          value={flow ?? ""}
          onChoose={(id) => showPart("consumers", { flow: id })}
        />
        <span className="faint" role="status">
          {texts.count(shown.length, shown.filter(({ state }) => state === "backing_off").length)}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="faint">
          {texts.noneOf(flow ?? "")} <a href={hashOf(["operations"], { tab: "consumers" })}>{texts.allFlows}</a>
        </p>
      ) : (
        <Table
          label={texts.title}
          columns={consumerColumns(target, mayDo("editor"))}
          rows={shown}
          keyOf={({ flowId, routeId }) => `${flowId}/${routeId}`}
        />
      )}
    </>
  );
}
