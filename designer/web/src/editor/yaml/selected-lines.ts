/** Marks the lines of the item that is selected on the canvas. */
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

export const selectLines = StateEffect.define<{ readonly from: number; readonly to: number } | undefined>();

const line = Decoration.line({ class: "cm-selected-item" });

export const selectedLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, newDoc }) {
    let lines = before.map(changes);
    for (const effect of effects) {
      if (!effect.is(selectLines)) continue;
      lines = Decoration.none;
      if (effect.value === undefined) continue;
      const first = newDoc.lineAt(Math.min(effect.value.from, newDoc.length)).number;
      const last = newDoc.lineAt(Math.min(effect.value.to, newDoc.length)).number;
      const marks = Array.from({ length: last - first + 1 }, (_, at) => line.range(newDoc.line(first + at).from));
      lines = Decoration.set(marks);
    }
    return lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});
