/** The steps of a run; each opens to its message before and after, and to what the other side has answered. */
import { useState } from "react";
import type { Schemas } from "../api/runtime.ts";
import { Chip } from "../ui/chip.tsx";
import { DiffView } from "../ui/diff-view.tsx";
import { Icon } from "../ui/icon.tsx";
import { Note } from "../ui/note.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { words } from "../words.ts";
import { MessageText } from "./message-text.tsx";
import { indented, textOfMessage } from "./messages.ts";
import { rowsOf, type StepRow } from "./step-rows.ts";

type RunSteps = Pick<Schemas["RunDetail"], "startedAt" | "stepRuns" | "error">;

export function StepList({ run }: { readonly run: RunSteps }) {
  const rows = rowsOf(run);
  if (rows.length === 0) return <p className="faint">{words.runs.noSteps}</p>;
  return (
    <ol className="step-list" aria-label={words.runs.steps}>
      {rows.map((row) => (
        <StepItem
          key={row.index}
          row={row}
          isCause={row.step.status === "failed" && row.step.id === run.error?.stepId}
        />
      ))}
    </ol>
  );
}

function StepItem({ row, isCause }: { readonly row: StepRow; readonly isCause: boolean }) {
  const { step, afterMs, effect, answer } = row;
  const [open, setOpen] = useState(isCause);
  return (
    <li className={`step-item ${step.status}`}>
      <button type="button" className="step-button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "right"} />
        <span className="step-name">{step.id}</span>
        <span className="faint">{step.type}</span>
        {step.status === "failed" && <Chip tone="bad">{words.runs.statuses.failed}</Chip>}
        {step.mocked && <Chip tone="accent">{words.runs.mocked}</Chip>}
        <span className="space" />
        <span className="faint step-effect">{words.runs.effects[effect]}</span>
        <span className="faint step-time">{words.runs.stepTime(afterMs, step.duration)}</span>
      </button>
      {open && <StepContent step={step} answer={answer} />}
    </li>
  );
}

function StepContent({ step, answer }: Pick<StepRow, "step" | "answer">) {
  const { in: before, out: after, error } = step;
  const tabs = [
    ...(before !== undefined && after !== undefined ? [{ id: "diff", label: words.runs.diff }] : []),
    ...(before !== undefined ? [{ id: "in", label: words.runs.before }] : []),
    ...(after !== undefined ? [{ id: "out", label: words.runs.after }] : []),
    ...(answer !== undefined ? [{ id: "answer", label: words.runs.remote }] : []),
  ];
  const [chosen, setChosen] = useState(answer === undefined ? "diff" : "answer");
  const selected = tabs.find(({ id }) => id === chosen)?.id ?? tabs[0]?.id;
  const text = { in: before, out: after }[selected ?? ""];
  return (
    <div className="step-content">
      {error !== undefined && (
        <Note kind="error">
          {error.type}: {error.message}
        </Note>
      )}
      {selected === undefined ? (
        <p className="faint">{step.omitted === true ? words.runs.omitted : words.runs.notRecorded}</p>
      ) : (
        <Tabs label={words.runs.messageOf(step.id)} tabs={tabs} selected={selected} onSelect={setChosen}>
          {selected === "diff" && before !== undefined && after !== undefined && (
            <DiffView label={words.runs.diffOf(step.id)} before={textOfMessage(before)} after={textOfMessage(after)} />
          )}
          {text !== undefined && <MessageText label={words.runs.messageOf(step.id)} text={textOfMessage(text)} />}
          {selected === "answer" && answer !== undefined && (
            <MessageText
              label={words.runs.remote}
              text={
                words.runs.remoteStatus(answer.status) +
                textOfMessage({ ...answer, body: indented(answer.body), bodyType: "" })
              }
            />
          )}
        </Tabs>
      )}
    </div>
  );
}
