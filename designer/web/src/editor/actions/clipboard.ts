/** Copies and pastes steps as YAML, between flows and to and from any text editor. */
import { addRoute, copySteps, duplicateStep, EditRefused, parse, pasteSteps, tree } from "../../model/index.ts";
import { words } from "../../words.ts";
import { keyOf } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";
import type { Place } from "./paths.ts";
import { placeBehind, selectedItems } from "./places.ts";

/** The YAML of the selected steps, or of the selected routes; undefined when neither is selected. */
export function copySelected(session: EditorSession): string | undefined {
  const items = selectedItems(session).filter(({ kind }) => kind === "step" || kind === "route" || kind === "other");
  const steps = items.filter(({ kind }) => kind === "step");
  const chosen = steps.length > 0 ? steps : items;
  if (chosen.length === 0) return undefined;
  try {
    return copySteps(
      session.flow(),
      chosen.map(({ itemPath }) => itemPath),
    );
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    session.onRefused(error.message);
    return undefined;
  }
}

/** Pastes steps behind the selected one, and routes behind the last one. */
export function pasteText(session: EditorSession, text: string): void {
  const pasted = parse(text);
  if (pasted.errors.length === 0 && tree(pasted).routes.length > 0) {
    session.edit((flow) => addRoute(flow, text), { label: words.canvas.did.paste });
    return;
  }
  const place = placeBehind(session);
  if (place !== undefined) pasteAt(session, place, text);
}

/** Pastes steps and selects them. */
export function pasteAt(session: EditorSession, { stepsPath, index }: Place, text: string): void {
  const count = tree(parse(text), { steps: true }).routes[0]?.steps.length ?? 0;
  session.edit((flow) => pasteSteps(flow, stepsPath, index, text), {
    label: words.canvas.did.paste,
    select: () => Array.from({ length: count }, (_, at) => keyOf([...stepsPath, index + at])),
  });
}

/** Inserts a copy of the selected steps behind the last of them. */
export function duplicateSelected(session: EditorSession): void {
  const steps = selectedItems(session).filter(({ kind }) => kind === "step");
  const last = steps.at(-1);
  if (last === undefined) return;
  if (steps.length > 1) {
    const text = copySelected(session);
    if (text !== undefined) pasteText(session, text);
    return;
  }
  const key = keyOf([...last.itemPath.slice(0, -1), Number(last.itemPath.at(-1)) + 1]);
  session.edit((flow) => duplicateStep(flow, last.itemPath), {
    label: words.canvas.did.duplicate,
    select: () => [key],
  });
}
