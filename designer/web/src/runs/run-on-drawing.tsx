/** Shows a run on the canvas, and says so when it cannot be shown there. */
import { useEffect } from "react";
import type { Schemas } from "../api/runtime.ts";
import { noMarks } from "../editor/session/marks.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { Button } from "../ui/button.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import { type RanDrawing, useRanDrawing } from "./ran-drawing.ts";
import { showRun } from "./show-run.ts";

interface RunOnDrawingProps {
  readonly session: EditorSession;
  readonly target: string;
  readonly run: Schemas["RunDetail"];
}

export function RunOnDrawing({ session, target, run }: RunOnDrawingProps) {
  const { revision, stepRuns } = run;
  const ran = useRanDrawing(session, target, revision);
  const { drawing } = ran;
  useEffect(() => {
    if (drawing === undefined) return undefined;
    showRun(drawing, stepRuns);
    return () => drawing.marks.set(noMarks);
  }, [drawing, stepRuns]);
  return <NotDrawn ran={ran} revision={revision} />;
}

/** Says why the canvas does not show what ran. */
export function NotDrawn({ ran, revision }: { readonly ran: RanDrawing; readonly revision: number }) {
  if (ran.missing === undefined) return null;
  const isGone = ran.missing === "gone";
  return (
    <Note kind="warn">
      <p>{isGone ? words.runs.revisionGone(revision) : words.runs.editorDrawn(revision)}</p>
      {!isGone && <Button onClick={ran.draw}>{words.runs.drawRevision(revision)}</Button>}
    </Note>
  );
}
