/** The tail of the flow's log. */
import { useEffect, useState } from "react";
import type { LogEvent } from "../../../../src/client/event-stream.ts";
import { words } from "../words.ts";
import { StepRef, TailLines } from "./tail-lines.tsx";
import type { FlowWatch } from "./watch-flow.ts";

const levels: readonly string[] = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"];

export interface TailProps {
  readonly watch: FlowWatch;
  readonly onStep: (stepId: string) => void;
}

export function LogTail({ watch, onStep }: TailProps) {
  const [level, setLevel] = useState<string>("TRACE");
  const [text, setText] = useState("");
  useEffect(() => {
    const [least, part] = [rank(level), text.toLowerCase()];
    watch.log.filter(({ event }) => rank(event.level) >= least && textOf(event).includes(part));
    watch.draw();
  }, [watch, level, text]);
  return (
    <>
      <div className="watch-row">
        <select
          className="input"
          aria-label={words.live.level}
          value={level}
          onChange={(event) => setLevel(event.target.value)}
        >
          {levels.map((one) => (
            <option key={one} value={one}>
              {words.live.atLeast(one)}
            </option>
          ))}
        </select>
        <input
          className="input"
          type="search"
          aria-label={words.live.find}
          placeholder={words.live.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <TailLines
        label={words.live.log}
        lines={watch.log.get().shown}
        draw={(event) => (
          <>
            <time dateTime={event.ts}>{words.live.time(event.ts)}</time>
            <span className={`tail-level ${event.level.toLowerCase()}`}>{event.level}</span>
            <StepRef stepId={event.stepId} onStep={onStep} />
            <span className="tail-text">{event.message}</span>
          </>
        )}
      />
    </>
  );
}

function rank(level: string): number {
  return levels.indexOf(level.toUpperCase());
}

function textOf({ message, stepId, runId, routeId }: LogEvent): string {
  return [message, stepId, runId, routeId].join(" ").toLowerCase();
}
