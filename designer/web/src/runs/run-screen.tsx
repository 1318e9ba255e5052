/** One run: how it ended, why, and each step with its message before and after. */
import { useMemo } from "react";
import type { Schemas } from "../api/runtime.ts";
import { target } from "../api/target.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { Chip } from "../ui/chip.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { runOf, toneOf } from "./runs-list.ts";
import { StepList } from "./step-list.tsx";
import { WaitingLink } from "./waiting-link.tsx";
import "./runs.css";

export function RunScreen({ address: { rest } }: ScreenProps) {
  const name = useStore(target)?.name ?? "";
  const id = rest[0] ?? "";
  const store = useMemo(() => runOf(name, id), [name, id]);
  const { value, error } = useStore(store);
  return (
    <div className="screen">
      <header className="screen-head run-head">
        <h1>
          <a href={hashOf(["runs"])}>{words.runs.title}</a> / <code>{id}</code>
        </h1>
        {value !== undefined && <Chip tone={toneOf(value.status)}>{words.runs.statuses[value.status]}</Chip>}
      </header>
      {error !== undefined && (
        <ErrorNote title={words.runs.oneNotRead} error={error} onRetry={() => void store.refresh()} />
      )}
      {value === undefined ? error === undefined && <Loading /> : <RunView target={name} run={value} />}
    </div>
  );
}

interface RunViewProps {
  readonly target: string;
  readonly run: Schemas["RunDetail"];
  /** It stands beside the drawing. */
  readonly isBeside?: boolean;
}

export function RunView({ target: name, run, isBeside = false }: RunViewProps) {
  const {
    id,
    flowId,
    routeId,
    startedAt,
    durationMs,
    queueMs,
    cpuMs,
    trigger,
    httpStatus,
    parentRunId,
    error,
    revision,
  } = run;
  return (
    <>
      <dl className="run-facts">
        <Fact name={words.runs.flow}>
          <a href={hashOf(["runs"], { flow: flowId })}>{flowId}</a> {words.runs.revision(revision)}{" "}
          {!isBeside && <a href={hashOf(["flows", flowId], { panel: "runs", run: id })}>{words.runs.onCanvas}</a>}
        </Fact>
        <Fact name={words.runs.route}>{routeId}</Fact>
        <Fact name={words.runs.trigger}>{[trigger.method, trigger.path ?? trigger.uri].filter(Boolean).join(" ")}</Fact>
        <Fact name={words.runs.started}>{words.runs.at(startedAt)}</Fact>
        <Fact name={words.runs.duration}>{words.runs.times(durationMs, queueMs, cpuMs)}</Fact>
        {httpStatus !== null && <Fact name={words.runs.answer}>{String(httpStatus)}</Fact>}
        {parentRunId !== null && (
          <Fact name={words.runs.parent}>
            <a href={hashOf(["runs", parentRunId])}>{parentRunId}</a>
          </Fact>
        )}
      </dl>
      {error !== null && (
        <Note kind="error" title={words.runs.failedAt(error.stepId, error.line)}>
          <p>
            {error.type}: {error.message} <WaitingLink target={name} run={run} />
          </p>
        </Note>
      )}
      <StepList run={run} />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
