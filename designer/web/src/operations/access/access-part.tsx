/** Which flows are open and which have an access policy; the policy of one flow, and who could call it. */
import { useMemo } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { runtimeFlows } from "../../api/cache.ts";
import { polled } from "../../api/polled.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { Chip } from "../../ui/chip.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { showPart } from "../show-part.ts";
import type { PartProps } from "../tabs.ts";
import { type AccessRow, accessRows, guards } from "./access-rows.ts";
import { PolicySection } from "./policy-section.tsx";

const { access: texts } = words.operations;
const tones = { open: "warn", report: "warn", enforce: "good", closed: "bad", unused: "plain" } as const;

export function AccessPart({ target, query: { flow = "" } }: PartProps) {
  const policies = useMemo(
    () =>
      polled({
        load: (signal) => orThrow(runtimeOf(target).GET("/_api/auth", { signal })),
        everyMs: 5000,
        isVisible: () => !document.hidden,
      }),
    [target],
  );
  const { value, error } = useStore(policies);
  const flows = useStore(runtimeFlows(target)).value;
  if (value === undefined || flows === undefined) {
    return error === undefined ? (
      <Loading />
    ) : (
      <ErrorNote title={texts.notRead} error={error} onRetry={() => void policies.refresh()} />
    );
  }
  const rows = accessRows(flows, value);
  const chosen = rows.find(({ flowId }) => flowId === flow);
  return (
    <>
      <p className="faint">{texts.text}</p>
      {rows.length === 0 ? (
        <p className="faint">{texts.none}</p>
      ) : (
        <Table
          label={texts.title}
          columns={columnsOf(flow)}
          rows={rows}
          keyOf={({ flowId }) => flowId}
          firstSort={{ column: "flow", descending: false }}
        />
      )}
      {chosen !== undefined && (
        <PolicySection key={flow} target={target} row={chosen} onChanged={() => void policies.refresh()} />
      )}
    </>
  );
}

/** `shown`: the flow whose policy is shown. */
function columnsOf(shown: string): readonly Column<AccessRow>[] {
  return [
    {
      id: "flow",
      title: words.runs.flow,
      sortBy: ({ flowId }) => flowId,
      cell: ({ flowId }) => (
        <button
          type="button"
          className="link-button"
          aria-expanded={flowId === shown}
          onClick={() => showPart("access", { flow: flowId === shown ? "" : flowId })}
        >
          {flowId}
        </button>
      ),
    },
    {
      id: "guard",
      title: texts.guard,
      sortBy: ({ guard }) => guards.indexOf(guard),
      cell: ({ guard }) => (
        <Chip tone={tones[guard]} title={texts.guardTexts[guard]}>
          {texts.guards[guard]}
        </Chip>
      ),
    },
    {
      id: "principals",
      title: texts.principals,
      wideOnly: true,
      cell: ({ policy }) => policy?.principals.join(", ") ?? "",
    },
    {
      id: "written",
      title: texts.written,
      wideOnly: true,
      sortBy: ({ policy }) => policy?.writtenBy?.at,
      cell: ({ policy }) => {
        const by = policy?.writtenBy ?? null;
        return by === null ? "" : texts.writtenBy(by.via, by.actor, by.at);
      },
    },
  ];
}
