/** The panel Live: counts of each step on the canvas or one run on its way, and the tails of log and trace. */
import { useEffect, useMemo, useState } from "react";
import type { PanelProps } from "../editor/panels.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { useRanDrawing } from "../runs/ran-drawing.ts";
import { NotDrawn } from "../runs/run-on-drawing.tsx";
import { stepKeys } from "../runs/step-keys.ts";
import { useDeployed } from "../try/deployed.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { LogTail } from "./log-tail.tsx";
import { TraceTail } from "./trace-tail.tsx";
import { FlowWatch, type Shown } from "./watch-flow.ts";
import "../runs/panel.css";
import "./live.css";

export function LivePanel({ session }: PanelProps) {
  const { target, flow } = useDeployed(session.id);
  if (target === undefined || flow === undefined)
    return <EmptyState icon="runs" title={words.tryIt.notDeployed} text={words.live.notDeployedText} />;
  return <Live key={target} session={session} target={target} revision={flow.revision ?? undefined} />;
}

interface LiveProps extends PanelProps {
  readonly target: string;
  /** Of the deployment. */
  readonly revision: number | undefined;
}

function Live({ session, target, revision }: LiveProps) {
  const { id } = session;
  const watch = useMemo(() => new FlowWatch(id), [id]);
  useEffect(() => watch.start(target), [watch, target]);
  const ran = useRanDrawing(session, target, revision);
  const { drawing } = ran;
  useEffect(() => {
    watch.drawOn(drawing);
    return () => watch.drawOn(undefined);
  }, [watch, drawing]);
  useStore(watch.drawn);
  const connection = useStore(watch.connection);
  const [shown, setShown] = useState<Shown>("counts");
  const [tab, setTab] = useState("log");
  const tail = tab === "log" ? watch.log : watch.trace;
  const { paused, behind, dropped } = tail.get();
  const select = (stepId: string): void => selectStep(drawing ?? session, stepId);
  if (connection.kind === "refused") return <ErrorNote title={words.live.refused} error={connection.error} />;
  return (
    <div className="watch-panel">
      <div className="watch-row">
        <select
          className="input"
          aria-label={words.live.onCanvas}
          value={shown}
          onChange={(event) => {
            const next = event.target.value === "run" ? "run" : "counts";
            setShown(next);
            watch.show(next);
          }}
        >
          <option value="counts">{words.live.counts}</option>
          <option value="run">{words.live.oneRun}</option>
        </select>
        <Chip tone={connection.kind === "open" ? "good" : "warn"}>{words.live.connections[connection.kind]}</Chip>
      </div>
      {revision !== undefined && <NotDrawn ran={ran} revision={revision} />}
      {shown === "run" && <p className="faint">{words.live.followed(watch.run.id)}</p>}
      <div className="watch-row">
        <Button
          aria-pressed={paused}
          onClick={() => {
            tail.pause(!paused);
            watch.draw();
          }}
        >
          {paused ? words.live.resume : words.live.pause}
        </Button>
        <Button onClick={() => watch.clear()}>{words.live.clear}</Button>
        {paused && <Chip tone="accent">{words.live.behind(behind)}</Chip>}
        {dropped > 0 && (
          <Chip tone="warn" title={words.live.droppedTitle}>
            {words.live.dropped(dropped)}
          </Chip>
        )}
      </div>
      <Tabs
        label={words.live.tails}
        tabs={[
          { id: "log", label: words.live.log },
          { id: "trace", label: words.live.trace },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        {tab === "log" ? (
          <LogTail key="log" watch={watch} onStep={select} />
        ) : (
          <TraceTail key="trace" watch={watch} onStep={select} />
        )}
      </Tabs>
    </div>
  );
}

function selectStep(session: EditorSession, stepId: string): void {
  const state = session.get();
  const key = state.index.byId.get(stepId) ?? unnamed(session, stepId);
  if (key !== undefined) session.select([key]);
}

/** The key of a step that has a generated id. */
function unnamed(session: EditorSession, stepId: string): string | undefined {
  return stepKeys(session.get()).find((one) => one.stepId === stepId)?.key;
}
