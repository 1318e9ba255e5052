/** What the canvas does with steps: each action is one step of the history. */
import {
  addBranch,
  type BranchKind,
  insertStep,
  moveStep,
  newStepId,
  type Path,
  removeBranch,
  removeRoute,
  removeStep,
  stepIds,
} from "../../model/index.ts";
import { words } from "../../words.ts";
import { type Item, keyOf } from "../session/items.ts";
import type { EditorSession, MakeChanges } from "../session/session.ts";
import { titleOf } from "../titles.ts";
import { afterInsertion, afterMove, afterRemoval, begins, type Place } from "./paths.ts";
import { currentItem, selectedItems } from "./places.ts";

/** A step as `newStep` makes it: its name with its options. */
export type NewStep = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Steps whose `id` is an option of theirs. */
const namedSteps = new Set(["valueMapping", "messageMapping"]);

/** Inserts a step with an id of its own and selects it. */
export function addStep(session: EditorSession, { stepsPath, index }: Place, step: NewStep): void {
  const [[name, options] = ["", {}]] = Object.entries(step);
  const id = newStepId(name, stepIds(session.get().tree));
  const named = { [name]: { [namedSteps.has(name) ? "stepId" : "id"]: id, ...options } };
  session.edit((flow) => insertStep(flow, stepsPath, index, named), {
    label: words.canvas.did.add(titleOf(name)),
    select: () => [keyOf([...stepsPath, index])],
  });
}

/** Removes what is selected; afterwards the step behind it is selected, or the one before it, or what holds it. */
export function removeSelected(session: EditorSession): void {
  const items = selectedItems(session).filter(({ kind }) => kind !== "trigger");
  const [first] = items;
  if (first === undefined) {
    if (currentItem(session)?.kind === "trigger") session.onRefused(words.canvas.triggerStays);
    return;
  }
  const label = words.canvas.did.remove(items.length === 1 ? titleOf(first.name) : words.canvas.parts(items.length));
  const makers = items.toReversed().map((item) => removalOf(item));
  session.edit(makers, { label, select: (index) => [neighbour(first, (key) => index.items.has(key))] });
}

function removalOf({ kind, itemPath }: Item): MakeChanges {
  if (kind === "branch") return (flow) => removeBranch(flow, itemPath);
  if (kind === "step" || kind === "operation") return (flow) => removeStep(flow, itemPath);
  return (flow) => removeRoute(flow, itemPath);
}

function neighbour({ key, itemPath, kind, parent = "" }: Item, isThere: (key: string) => boolean): string {
  if (kind !== "step") return isThere(parent) ? parent : key;
  if (isThere(key)) return key;
  const before = keyOf([...itemPath.slice(0, -1), Number(itemPath.at(-1)) - 1]);
  return isThere(before) ? before : parent;
}

/** Moves steps, in their order, before the step at a place. */
export function moveSteps(session: EditorSession, keys: readonly string[], to: Place): void {
  let left = pathsOf(session, keys);
  if (left.some((path) => begins(to.stepsPath, path))) return;
  let place = to;
  const makers: MakeChanges[] = [];
  const landed: Path[] = [];
  while (left.length > 0) {
    const [from, ...rest] = left as [Path, ...Path[]];
    const target = place;
    makers.push((flow) => moveStep(flow, from, target.stepsPath, target.index));
    const at = afterMove(from, target);
    const follow = (path: Path): Path => afterInsertion(afterRemoval(path, from), at.stepsPath, at.index);
    for (const [one, path] of landed.entries()) landed[one] = follow(path);
    landed.push([...at.stepsPath, at.index]);
    left = rest.map(follow);
    place = { stepsPath: at.stepsPath, index: at.index + 1 };
  }
  session.edit(makers, {
    label: words.canvas.did.move(landed.length),
    select: () => landed.map((path) => keyOf(path)),
  });
}

function pathsOf(session: EditorSession, keys: readonly string[]): Path[] {
  const { items } = session.get().index;
  return keys.flatMap((key) => {
    const item = items.get(key);
    return item?.kind === "step" ? [item.itemPath] : [];
  });
}

/** Moves the selected step one place up or down; at an end of a branch it leaves the branch. */
export function moveSelected(session: EditorSession, by: -1 | 1): void {
  const item = currentItem(session);
  if (item?.kind !== "step") return;
  const stepsPath = item.itemPath.slice(0, -1);
  const index = Number(item.itemPath.at(-1));
  const { items } = session.get().index;
  const isInside = by < 0 ? index > 0 : items.has(keyOf([...stepsPath, index + 1]));
  if (isInside) {
    moveSteps(session, [item.key], { stepsPath, index: by < 0 ? index - 1 : index + 2 });
    return;
  }
  let above = items.get(item.parent ?? "");
  while (above?.kind === "branch") above = items.get(above.parent ?? "");
  if (above?.kind !== "step") return;
  const at = Number(above.itemPath.at(-1));
  moveSteps(session, [item.key], { stepsPath: above.itemPath.slice(0, -1), index: by < 0 ? at : at + 1 });
}

/** The branches that a step can get one more of. */
export const branchKinds: Readonly<Record<string, readonly BranchKind[]>> = {
  choice: ["when", "otherwise"],
  doTry: ["doCatch", "doFinally"],
  circuitBreaker: ["onFallback"],
};

export function addBranchTo(session: EditorSession, step: Item, kind: BranchKind): void {
  session.edit((flow) => addBranch(flow, step.path, kind), {
    label: words.canvas.did.add(titleOf(kind)),
    select: ({ items }) => {
      const branches = [...items.values()].filter(({ name, parent }) => name === kind && parent === step.key);
      return [branches.at(-1)?.key ?? step.key];
    },
  });
}
