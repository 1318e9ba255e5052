/** The text editor of an open mapping: what is typed goes to its history, what rules and settings change comes in. */
import { defaultKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from "@codemirror/view";
import { keepLineEnds } from "../editor/yaml/line-ends.ts";
import { selectedLines, selectLines } from "../editor/yaml/selected-lines.ts";
import { editorTheme, highlighting } from "../editor/yaml/theme.ts";
import type { Path, Range } from "../model/types.ts";
import { words } from "../words.ts";
import { type JsonText, nodeAt, rangeOf } from "./model/json-text.ts";
import { stepsOfPointer } from "./model/names.ts";
import { allRules, ruleKey } from "./model/rules.ts";
import type { MappingSession, MappingState } from "./session.ts";
import type { Trial, TrialState } from "./trial.ts";

/** A change that the session has made. */
const fromSession = Annotation.define<true>();

/** Shows a mapping's text in an element; JSON is coloured as the YAML that it is. @returns the editor; `destroy` ends it */
export function openJsonEditor(parent: HTMLElement, session: MappingSession, isEditable: boolean): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: session.document(),
      extensions: [
        EditorState.lineSeparator.of("\n"),
        keepLineEnds(session.get().text, (one) => one.annotation(fromSession) === true),
        EditorState.readOnly.of(!isEditable),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": words.messageMappings.text, tabindex: "0" }),
        [lineNumbers(), foldGutter(), lintGutter(), drawSelection(), highlightActiveLine(), bracketMatching()],
        [indentOnInput(), highlightSelectionMatches(), yaml(), syntaxHighlighting(highlighting), editorTheme],
        selectedLines,
        EditorView.domEventHandlers({ keydown: (event) => goBackOrOn(session, event) }),
        keymap.of([...searchKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => onUpdate(session, update)),
      ],
    }),
  });
}

/** The history is that of the session: it also has what the rules and the settings have changed. */
function goBackOrOn(session: MappingSession, event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  const key = event.key.toLowerCase();
  if ((!ctrlKey && !metaKey) || altKey || (key !== "z" && key !== "y")) return false;
  event.preventDefault();
  event.stopPropagation();
  if (key === "y" || shiftKey) session.redo();
  else session.undo();
  return true;
}

function onUpdate(
  session: MappingSession,
  { changes, docChanged, selectionSet, transactions, state }: ViewUpdate,
): void {
  if (docChanged && transactions.every((one) => one.annotation(fromSession) !== true)) {
    session.typed(changes, words.messageMappings.did.typed, joinOf(transactions));
    return;
  }
  if (!selectionSet || !transactions.some((one) => one.isUserEvent("select"))) return;
  const { head } = state.selection.main;
  const { json, list } = session.get();
  const here = allRules(list.rules).findLast(({ path }) => {
    const node = nodeAt(json, path);
    return node !== undefined && node.offset <= head && head <= node.offset + node.length;
  });
  if (here !== undefined && json.errors.length === 0) session.select(here.path);
}

/** Letters that are typed one after the other are taken back together. */
function joinOf(transactions: readonly Transaction[]): string | undefined {
  if (transactions.some((one) => one.isUserEvent("input.type"))) return "text input";
  return transactions.some((one) => one.isUserEvent("delete")) ? "text delete" : undefined;
}

/** Keeps an editor in step with its session. @returns ends it */
export function followMapping(view: EditorView, session: MappingSession, trial: Trial): () => void {
  let shown: Partial<MappingState> = {};
  let problems: TrialState["problems"] | undefined;
  const show = (): void => {
    const state = session.get();
    const found = trial.get().problems;
    if (state.json !== shown.json || found !== problems) {
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(state.json, found)));
    }
    if (state.selected !== shown.selected || state.json !== shown.json) showSelected(view, state);
    shown = state;
    problems = found;
  };
  const ends = [
    session.onText((changes) => view.dispatch({ changes, annotations: fromSession.of(true) })),
    session.subscribe(show),
    trial.subscribe(show),
  ];
  show();
  return () => {
    for (const end of ends) end();
  };
}

function showSelected(view: EditorView, { json, list, selected }: MappingState): void {
  const rule = allRules(list.rules).find((one) => ruleKey(one) === selected);
  const node = rule === undefined || json.text.length !== view.state.doc.length ? undefined : nodeAt(json, rule.path);
  const range = node && rangeOf(node);
  const scroll =
    range === undefined || view.hasFocus ? [] : [EditorView.scrollIntoView(range.from, { y: "nearest", yMargin: 40 })];
  view.dispatch({ effects: [selectLines.of(range), ...scroll] });
}

function diagnosticsOf(json: JsonText, problems: TrialState["problems"]): Diagnostic[] {
  const errors = json.errors.map(({ from, to, message }) => ({ from, to, message, severity: "error" as const }));
  const found = json.errors.length > 0 ? [] : problems.map((one) => ({ ...placeOf(json, one.pointer), ...one }));
  const all = [...errors, ...found.map(({ from, to, message }) => ({ from, to, message, severity: "error" as const }))];
  const { length } = json.text;
  return all
    .map((one) => ({ ...one, from: Math.min(one.from, length), to: Math.min(Math.max(one.from, one.to), length) }))
    .sort((one, other) => one.from - other.from);
}

/** The part that a pointer names, or what it is in. */
function placeOf(json: JsonText, pointer: string): Range {
  const steps = stepsOfPointer(pointer);
  for (let length = steps.length; length > 0; length -= 1) {
    const path: Path = steps.slice(0, length);
    const node = nodeAt(json, path);
    if (node !== undefined) return rangeOf(node);
  }
  return { from: 0, to: Math.min(1, json.text.length) };
}
