/** Adds and removes branches of steps: when and otherwise of a choice, doCatch and doFinally of a doTry. */
import { isSeq } from "yaml";
import { contentOf } from "./content.ts";
import { findKey } from "./names.ts";
import { editablePlace, placeAt, valueAt } from "./place.ts";
import { EditRefused } from "./refused.ts";
import { removeOption, setOption } from "./set-option.ts";
import { insertContent, removeStep } from "./steps.ts";
import type { Change, FlowText, Path } from "./types.ts";

/** Kinds of branches that stand in lists, with what a new one says. */
const listed: Readonly<Record<string, object>> = {
  when: { steps: [] },
  doCatch: { exception: ["java.lang.Exception"], steps: [] },
};
const single = ["otherwise", "doFinally", "onFallback"];

export type BranchKind = "when" | "otherwise" | "doCatch" | "doFinally" | "onFallback";

/** Adds a branch behind those of its kind; `definition` replaces what a new one says. */
export function addBranch(flow: FlowText, stepPath: Path, kind: BranchKind, definition?: object): Change[] {
  if (single.includes(kind)) {
    if (placeAt(flow, [...stepPath, kind]) !== undefined) throw new EditRefused("oneBranch");
    return setOption(flow, [...stepPath, kind], definition ?? { steps: [] });
  }
  const made = definition ?? listed[kind];
  if (made === undefined) throw new EditRefused("nowhere");
  const key = keyOf(flow, stepPath, kind);
  const place = placeAt(flow, [...stepPath, key]);
  if (place === undefined) return setOption(flow, [...stepPath, key], [made]);
  const length = isSeq(place.node) ? place.node.items.length : 0;
  return insertContent(flow, place.path, length, contentOf([made]));
}

/** Removes a branch with its steps. */
export function removeBranch(flow: FlowText, branchPath: Path): Change[] {
  editablePlace(flow, branchPath);
  return typeof branchPath.at(-1) === "number" ? removeStep(flow, branchPath) : removeOption(flow, branchPath);
}

function keyOf(flow: FlowText, path: Path, name: string): string {
  const value = valueAt(flow, path);
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return findKey(keys, name) ?? name;
}
