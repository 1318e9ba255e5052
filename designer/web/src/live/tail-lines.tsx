/** The lines of a tail, the newest first. */
import type { ReactNode } from "react";
import { words } from "../words.ts";
import type { Line } from "./watch-flow.ts";

/** Lines that are drawn; the filter looks at all. */
const mostDrawn = 200;

interface TailLinesProps<E> {
  readonly label: string;
  readonly lines: readonly Line<E>[];
  readonly draw: (event: E) => ReactNode;
}

export function TailLines<E>({ label, lines, draw }: TailLinesProps<E>) {
  if (lines.length === 0) return <p className="faint">{words.live.nothing}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="tail" tabIndex={0} aria-label={label}>
      <ol>
        {lines
          .slice(-mostDrawn)
          .reverse()
          .map(({ number, event }) => (
            <li key={number}>{draw(event)}</li>
          ))}
      </ol>
    </section>
  );
}

interface StepRefProps {
  readonly stepId: string | null | undefined;
  readonly onStep: (stepId: string) => void;
}

/** The step of a line: it is selected on the canvas. */
export function StepRef({ stepId, onStep }: StepRefProps) {
  return stepId === undefined || stepId === null ? null : (
    <button type="button" className="tail-step" onClick={() => onStep(stepId)}>
      {stepId}
    </button>
  );
}
