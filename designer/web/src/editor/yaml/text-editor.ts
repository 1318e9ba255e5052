/** The text editor of a session: what is typed goes to its history, what the canvas and the form change comes in. */
import { defaultKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view";
import { words } from "../../words.ts";
import { itemAt, ownRange } from "../session/find-items.ts";
import type { EditorSession } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { keepLineEnds } from "./line-ends.ts";
import { selectedLines, selectLines } from "./selected-lines.ts";
import { editorTheme, highlighting } from "./theme.ts";

/** A change that the session has made. */
const fromSession = Annotation.define<true>();

/** Shows a session's text in an element. @returns the editor; `destroy` ends it */
export function openTextEditor(parent: HTMLElement, session: EditorSession, isEditable: boolean): EditorView {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: session.document(),
      extensions: [
        // Carriage returns of a file stay what they are: a character at the end of a line.
        EditorState.lineSeparator.of("\n"),
        keepLineEnds(session.get().text, (one) => one.annotation(fromSession) === true),
        EditorState.readOnly.of(!isEditable),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": words.yaml.label, tabindex: "0" }),
        [lineNumbers(), foldGutter(), lintGutter(), drawSelection(), highlightActiveLine(), bracketMatching()],
        [indentOnInput(), highlightSelectionMatches(), yaml(), syntaxHighlighting(highlighting), editorTheme],
        selectedLines,
        EditorView.domEventHandlers({ keydown: (event) => goBackOrOn(session, event) }),
        keymap.of([...searchKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => onUpdate(session, update)),
      ],
    }),
  });
  return view;
}

/** The history is that of the session: it also has what the canvas and the form have done. */
function goBackOrOn(session: EditorSession, event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  const key = event.key.toLowerCase();
  if ((!ctrlKey && !metaKey) || altKey || (key !== "z" && key !== "y")) return false;
  event.preventDefault();
  if (key === "y" || shiftKey) session.redo();
  else session.undo();
  return true;
}

function onUpdate(
  session: EditorSession,
  { changes, docChanged, selectionSet, transactions, state }: ViewUpdate,
): void {
  if (docChanged && transactions.every((one) => one.annotation(fromSession) !== true)) {
    session.typed(changes, words.yaml.typed, joinOf(transactions));
    return;
  }
  if (!selectionSet || !transactions.some((one) => one.isUserEvent("select"))) return;
  const { index, selection } = session.get();
  const item = itemAt(index, state.selection.main.head);
  if (item !== undefined && item.key !== selection.at(-1)) session.select([item.key]);
}

/** Letters that are typed one after the other are taken back together. */
function joinOf(transactions: readonly Transaction[]): string | undefined {
  if (transactions.some((one) => one.isUserEvent("input.type"))) return "yaml input";
  return transactions.some((one) => one.isUserEvent("delete")) ? "yaml delete" : undefined;
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
