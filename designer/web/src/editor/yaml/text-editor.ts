/** The text editor of a session: what is typed goes to its history, what the canvas and the form change comes in. */
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { words } from "../../words.ts";
import { itemAt, ownRange } from "../session/find-items.ts";
import type { EditorSession } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { fromSession, openEditor, type TextSession } from "./open-editor.ts";
import { selectLines } from "./selected-lines.ts";

/** Shows a session's text in an element. @returns the editor; `destroy` ends it */
export function openTextEditor(parent: HTMLElement, session: EditorSession, isEditable: boolean): EditorView {
  const text = {
    document: () => session.document(),
    undo: () => session.undo(),
    redo: () => session.redo(),
    text: () => session.get().text,
    typed: (changes, join) => session.typed(changes, words.yaml.typed, join),
    moved({ selection: { main } }) {
      const { index, selection } = session.get();
      const item = itemAt(index, main.head);
      if (item !== undefined && item.key !== selection.at(-1)) session.select([item.key]);
    },
  } satisfies TextSession;
  return openEditor(parent, text, words.yaml.label, isEditable);
}

/** Keeps an editor in step with its session. @returns ends it */
export function followSession(view: EditorView, session: EditorSession): () => void {
  let shown: Partial<SessionState> = {};
  const show = (): void => {
    const state = session.get();
    if (state.diagnostics !== shown.diagnostics || state.flow !== shown.flow) {
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(state, view.state.doc.length)));
    }
    if (state.selection !== shown.selection || state.index !== shown.index) showSelected(view, state);
    shown = state;
  };
  const ends = [
    session.onText((changes) => view.dispatch({ changes, annotations: fromSession.of(true) })),
    session.subscribe(show),
  ];
  show();
  return () => {
    for (const end of ends) end();
  };
}

function showSelected(view: EditorView, { index, selection, text }: SessionState): void {
  const item = index.items.get(selection.at(-1) ?? "");
  const isHere = item !== undefined && item.range.to <= text.length && text.length === view.state.doc.length;
  const range = isHere ? ownRange(index, item) : undefined;
  const scroll =
    range === undefined || view.hasFocus ? [] : [EditorView.scrollIntoView(range.from, { y: "nearest", yMargin: 40 })];
  view.dispatch({ effects: [selectLines.of(range), ...scroll] });
}

function diagnosticsOf({ flow, diagnostics, text }: SessionState, length: number): Diagnostic[] {
  const syntax = flow.text === text ? flow.errors : [];
  const all = [
    ...syntax.map(({ from, to, message }) => ({ from, to, message, severity: "error" as const })),
    ...diagnostics.map(({ from, to, message, severity }) => ({ from, to, message, severity })),
  ];
  return all
    .map((one) => ({ ...one, from: Math.min(one.from, length), to: Math.min(Math.max(one.from, one.to), length) }))
    .sort((one, other) => one.from - other.from);
}
