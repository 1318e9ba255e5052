/** Says that the canvas shows a revision that ran, and not the text of the editor. */
import { Button } from "../ui/button.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import type { Drawn } from "./session/session.ts";

export function DrawnNote({ drawn: { revision, leave } }: { readonly drawn: Drawn }) {
  return (
    <Note kind="warn">
      <p>{words.runs.revisionDrawn(revision)}</p>
      <Button onClick={leave}>{words.runs.drawEditor}</Button>
    </Note>
  );
}
