/** The panel Runs: the last runs of the flow, and a chosen one on the canvas. */
import { useMemo, useState } from "react";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { useAddress } from "../app/address.ts";
import { hashOf } from "../app/hash.ts";
import type { PanelProps } from "../editor/panels.ts";
import { addTestOfRun } from "../tests/test-of-run.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { RunOnDrawing } from "./run-on-drawing.tsx";
import { RunView } from "./run-screen.tsx";
import { type Run, runOf, runStatuses, runsOf, toneOf } from "./runs-list.ts";
import "./panel.css";
import "./runs.css";

export function RunsPanel({ session }: PanelProps) {
  const name = useStore(target)?.name;
  const { run: linked } = useAddress().query;
  const [chosen, setChosen] = useState(linked);
  if (name === undefined) return <EmptyState icon="runs" title={words.app.noTarget} text={words.settings.noTargets} />;
  const choose = (run: string | undefined): void => {
    setChosen(run);
    history.replaceState(
      history.state,
      "",
      hashOf(["flows", session.id], { panel: "runs", ...(run !== undefined && { run }) }),
    );
  };
  return (
    <div className="watch-panel">
      {chosen === undefined ? (
        <RunChoice target={name} flowId={session.id} onChoose={choose} />
      ) : (
        <ChosenRun key={chosen} {...{ session, target: name, id: chosen }} onBack={() => choose(undefined)} />
      )}
    </div>
  );
}

interface RunChoiceProps {
  readonly target: string;
  readonly flowId: string;
  readonly onChoose: (run: string) => void;
}

function RunChoice({ target: name, flowId, onChoose }: RunChoiceProps) {
  const [status, setStatus] = useState("");
  const list = useMemo(() => runsOf(name, { flow: flowId, route: "", status }), [name, flowId, status]);
  const { value, error } = useStore(list);
  return (
    <>
      <div className="watch-row">
        <select
          className="input"
          aria-label={words.runs.status}
          value={status}
          onChange={(event) => setStatus(event.target.value)}
        >
          <option value="">{words.runs.allStatuses}</option>
          {runStatuses.map((one) => (
            <option key={one} value={one}>
              {words.runs.statuses[one]}
            </option>
          ))}
        </select>
        <a href={hashOf(["runs"], { flow: flowId })}>{words.runs.all}</a>
      </div>
      {error !== undefined && (
        <ErrorNote title={words.runs.notRead} error={error} onRetry={() => void list.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <EmptyState
          icon="runs"
          title={status === "" ? words.runs.none : words.runs.noMatch}
          text={status === "" ? words.runs.noneText : words.runs.noMatchText}
        />
      ) : (
        <>
          <p className="faint">{words.runs.choose}</p>
          <ul className="step-list" aria-label={words.runs.ofFlow}>
            {value.map((run) => (
              <li key={run.id} className="step-item">
                <RunButton run={run} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function RunButton({ run, onChoose }: { readonly run: Run; readonly onChoose: (run: string) => void }) {
  const { id, startedAt, status, durationMs, routeId, error } = run;
  return (
    <button type="button" className="step-button" onClick={() => onChoose(id)}>
      <span className="step-name">{words.runs.at(startedAt)}</span>
      <Chip tone={toneOf(status)}>{words.runs.statuses[status]}</Chip>
      <span className="faint">{routeId}</span>
      <span className="space" />
      <span className="faint step-time">{words.runs.ms(durationMs)}</span>
      {error !== null && <span className="run-error">{error.message}</span>}
    </button>
  );
}

interface ChosenRunProps extends PanelProps {
  readonly target: string;
  readonly id: string;
  readonly onBack: () => void;
}

function ChosenRun({ session, target: name, id, onBack }: ChosenRunProps) {
  const store = useMemo(() => runOf(name, id), [name, id]);
  const { value, error } = useStore(store);
  return (
    <>
      <div className="watch-row">
        <Button onClick={onBack}>{words.runs.back}</Button>
        {mayDo("editor") && <Button onClick={() => void addTestOfRun(session, name, id)}>{words.tests.ofRun}</Button>}
        <a href={hashOf(["runs", id])}>{words.tryIt.openRun}</a>
        {value !== undefined && <Chip tone={toneOf(value.status)}>{words.runs.statuses[value.status]}</Chip>}
      </div>
      {error !== undefined && (
        <ErrorNote title={words.runs.oneNotRead} error={error} onRetry={() => void store.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : (
        <>
          <RunOnDrawing session={session} target={name} run={value} />
          <RunView target={name} run={value} isBeside />
        </>
      )}
    </>
  );
}
