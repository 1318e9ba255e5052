/** The tail of the flow's trace events. */
import { useEffect, useState } from "react";
import type { TraceEvent } from "../../../../src/client/event-stream.ts";
import { hashOf } from "../app/hash.ts";
import { words } from "../words.ts";
import type { TailProps } from "./log-tail.tsx";
import { StepRef, TailLines } from "./tail-lines.tsx";

const kinds = ["all", "runs", "failures"] as const;
type Kind = (typeof kinds)[number];

export function TraceTail({ watch, onStep }: TailProps) {
  const [kind, setKind] = useState<Kind>("all");
  const [text, setText] = useState("");
  useEffect(() => {
    const part = text.toLowerCase();
    watch.trace.filter(({ event }) => isOf(kind, event) && textOf(event).includes(part));
    watch.draw();
  }, [watch, kind, text]);
  return (
    <>
      <div className="watch-row">
        <select
          className="input"
          aria-label={words.live.kind}
          value={kind}
          onChange={(event) => setKind(kinds.find((one) => one === event.target.value) ?? "all")}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {words.live.kinds[one]}
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
        label={words.live.trace}
        lines={watch.trace.get().shown}
        draw={(event) => (
          <>
            <time dateTime={event.ts}>{words.live.time(event.ts)}</time>
            <span className={event.error === undefined ? "tail-type" : "tail-type error"}>{event.type}</span>
            <StepRef stepId={event.stepId} onStep={onStep} />
            {event.type.startsWith("run.") && event.runId !== undefined && (
              <a href={hashOf(["runs", event.runId])}>{event.runId}</a>
            )}
            {event.durationMs !== undefined && <span className="faint">{words.runs.ms(event.durationMs)}</span>}
            {event.error !== undefined && <span className="tail-text">{event.error.message}</span>}
          </>
        )}
      />
    </>
  );
}

function isOf(kind: Kind, { type, error }: TraceEvent): boolean {
  if (kind === "all") return true;
  return kind === "runs" ? type.startsWith("run.") : error !== undefined || /failed|killed|shed/.test(type);
}

function textOf({ type, stepId, runId, routeId, error }: TraceEvent): string {
  return [type, stepId, runId, routeId, error?.message].join(" ").toLowerCase();
}
