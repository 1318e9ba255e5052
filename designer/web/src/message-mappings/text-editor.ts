/** The text editor of an open mapping: what is typed goes to its history, what rules and settings change comes in. */
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { fromSession, openEditor, type TextSession } from "../editor/yaml/open-editor.ts";
import { selectLines } from "../editor/yaml/selected-lines.ts";
import type { Path, Range } from "../model/types.ts";
import { words } from "../words.ts";
import { type JsonText, nodeAt, rangeOf } from "./model/json-text.ts";
import { stepsOfPointer } from "./model/names.ts";
import { allRules, ruleKey } from "./model/rules.ts";
import type { MappingSession, MappingState } from "./session.ts";
import type { Trial, TrialState } from "./trial.ts";

/** Shows a mapping's text in an element. @returns the editor; `destroy` ends it */
export function openJsonEditor(parent: HTMLElement, session: MappingSession, isEditable: boolean): EditorView {
  const text = {
    document: () => session.document(),
    undo: () => session.undo(),
    redo: () => session.redo(),
    text: () => session.get().text,
    typed: (changes, join) => session.typed(changes, words.messageMappings.did.typed, join),
    moved({ selection: { main } }) {
      const { json, list } = session.get();
      const here = allRules(list.rules).findLast(({ path }) => {
        const node = nodeAt(json, path);
        return node !== undefined && node.offset <= main.head && main.head <= node.offset + node.length;
      });
      if (here !== undefined && json.errors.length === 0) session.select(here.path);
    },
  } satisfies TextSession;
  return openEditor(parent, text, words.messageMappings.text, isEditable);
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
