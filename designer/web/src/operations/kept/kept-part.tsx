/** What a flow keeps between its messages: keys that were seen, and groups that are not complete. Operators forget them. */
import { useMemo } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { runtimeFlows } from "../../api/cache.ts";
import { polled } from "../../api/polled.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { FlowChoice } from "../flow-choice.tsx";
import { showPart } from "../show-part.ts";
import type { PartProps } from "../tabs.ts";
import { KeyTable } from "./key-table.tsx";
import { repositoryColumns } from "./repository-columns.tsx";

const { state: texts } = words.operations;

export function KeptPart({ target, query: { flow = "", name = "" } }: PartProps) {
  const flows = useStore(runtimeFlows(target)).value ?? [];
  return (
    <>
      <p className="faint">{texts.text}</p>
      <div className="filters">
        <FlowChoice
          none={texts.choose}
          flows={flows.map(({ id }) => id)}
          value={flow}
          onChoose={(chosen) => showPart("state", { flow: chosen })}
        />
      </div>
      {flow !== "" && <Repositories key={flow} target={target} flow={flow} name={name} />}
    </>
  );
}

interface RepositoriesProps {
  readonly target: string;
  readonly flow: string;
  /** The repository whose keys are shown; "": none. */
  readonly name: string;
}

function Repositories({ target, flow, name }: RepositoriesProps) {
  const state = useMemo(
    () =>
      polled<readonly Schemas["StateRepository"][]>({
        load: (signal) =>
          orThrow(runtimeOf(target).GET("/_api/flows/{id}/state", { params: { path: { id: flow } }, signal })),
        everyMs: 5000,
        isVisible: () => !document.hidden,
      }),
    [target, flow],
  );
  const { value, error } = useStore(state);
  const chosen = value?.find((row) => row.name === name);
  const choose = (next: string): void => showPart("state", { flow, name: next === name ? "" : next });
  return (
    <>
      {error !== undefined && <ErrorNote title={texts.notRead} error={error} onRetry={() => void state.refresh()} />}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <p className="faint">{texts.none}</p>
      ) : (
        <Table
          label={texts.title(flow)}
          columns={repositoryColumns(name, choose)}
          rows={value}
          keyOf={(row) => row.name}
        />
      )}
      {chosen !== undefined && (
        <KeyTable
          key={chosen.name}
          target={target}
          flow={flow}
          repository={chosen}
          onRemoved={() => void state.refresh()}
        />
      )}
    </>
  );
}
