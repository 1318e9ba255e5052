/** The wire between two steps: a step is added or dropped there. */
import { memo, useState } from "react";
import type { Path } from "../../model/index.ts";
import { words } from "../../words.ts";
import { useCanvas } from "./context.ts";
import { dropInGap, overGap } from "./drag.ts";

interface GapProps {
  readonly stepsPath: Path;
  readonly index: number;
  /** Nothing follows: the wire ends here. */
  readonly isLast?: boolean;
}

export const Gap = memo(function Gap({ stepsPath, index, isLast = false }: GapProps) {
  const { session, pickStep, isEditable } = useCanvas();
  const [isOver, setOver] = useState(false);
  if (!isEditable) return <div className="gap" />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: steps are also moved by Alt and arrow keys
    <div
      className={["gap", isLast ? "last" : "", isOver ? "over" : ""].join(" ").trim()}
      onDragOver={(event) => setOver(overGap(event))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        dropInGap(event, session, { stepsPath, index });
      }}
    >
      <button
        type="button"
        className="plus"
        tabIndex={-1}
        aria-label={words.canvas.addHere}
        title={words.canvas.addHere}
        onClick={(event) => pickStep({ stepsPath, index }, event.currentTarget)}
      >
        <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 4v8M4 8h8" />
        </svg>
      </button>
    </div>
  );
});
