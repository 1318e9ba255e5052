/** What ran is drawn on the revision that ran: on the open text while that is the same, else in place of it. */
import { useEffect, useMemo, useState } from "react";
import { useRevisions } from "../editor/deploy/use-revisions.ts";
import { EditorSession } from "../editor/session/session.ts";
import { useStore } from "../ui/use-store.ts";

export interface RanDrawing {
  /** Whose marks show what ran; undefined: nothing does. */
  readonly drawing: EditorSession | undefined;
  /** Why nothing does: the text in the editor is drawn, or the runtime no longer keeps the revision. */
  readonly missing: "editor" | "gone" | undefined;
  /** Draws the revision in place of the editor's text. */
  readonly draw: () => void;
}

/** `revision`: the one that ran; undefined: nothing has run yet. Whoever uses it sets marks on `drawing`, and clears them. */
export function useRanDrawing(session: EditorSession, target: string, revision: number | undefined): RanDrawing {
  const { text } = useStore(session);
  const { revisions } = useRevisions(session, target);
  const yaml = revisions?.find((one) => one.revision === revision)?.yaml;
  const isSame = yaml === text;
  const [before, setBefore] = useState(text);
  const [isLeft, setLeft] = useState(false);
  // Somebody who edits the text sees what they edit.
  if (text !== before) {
    setBefore(text);
    setLeft(!isSame);
  }
  const ran = useMemo(
    () => (yaml === undefined ? undefined : new EditorSession({ ...session.get().file, yaml })),
    [session, yaml],
  );
  const other = isSame || isLeft || revision === undefined ? undefined : ran;
  useEffect(() => {
    if (other === undefined || revision === undefined) return undefined;
    session.drawn.set({ session: other, revision, leave: () => setLeft(true) });
    return () => session.drawn.set(undefined);
  }, [session, other, revision]);
  const newest = revisions?.[0]?.revision ?? 0;
  const isGone = revision !== undefined && revisions !== undefined && yaml === undefined && revision <= newest;
  return {
    drawing: isSame ? session : other,
    missing: isGone ? "gone" : isLeft && !isSame && ran !== undefined ? "editor" : undefined,
    draw: () => setLeft(false),
  };
}
