/** Inserts, removes, replaces and moves steps: items of lists. */
import { isScalar, isSeq, type YAMLSeq } from "yaml";
import { contentOf, readContent } from "./content.ts";
import { drop } from "./drop.ts";
import { type Content, insertItems, itemBlock } from "./items.ts";
import { editable, editablePlace, isNothing, type Place, placeAt, valueAt } from "./place.ts";
import { prove, withItems, without, withValue } from "./prove.ts";
import { add, put, putText } from "./put.ts";
import { EditRefused } from "./refused.ts";
import { setOption } from "./set-option.ts";
import { shifted } from "./shift.ts";
import type { Change, FlowText, Path } from "./types.ts";

/** Inserts steps into a list before the step of an index; the list and its key are made when they are missing. */
export function insertStep(flow: FlowText, stepsPath: Path, index: number, step: object | string): Change[] {
  return insertContent(flow, stepsPath, index, readContent(step));
}

export function insertContent(flow: FlowText, stepsPath: Path, index: number, content: Content): Change[] {
  if (placeAt(flow, stepsPath) === undefined && isText(placeAt(flow, stepsPath.slice(0, -1)))) {
    return setOption(flow, stepsPath, content.values);
  }
  const changes = inserted(flow, stepsPath, index, content);
  return prove(flow, changes, (root) => withItems(root, stepsPath, index, content.values));
}

/** Whether a text stands where a map with the list would, as in `from: direct:x`, or nothing at all. */
function isText(holder: Place | undefined): boolean {
  return holder === undefined || (isScalar(holder.node) && holder.node.value !== null);
}

function inserted(flow: FlowText, stepsPath: Path, index: number, content: Content): Change[] {
  editable(flow);
  if (placeAt(flow, stepsPath) !== undefined) {
    return insertItems(flow, editablePlace(flow, stepsPath), index, content);
  }
  const holder = editablePlace(flow, stepsPath.slice(0, -1));
  const key = String(stepsPath.at(-1));
  if (!holder.inFlow && isNothing(holder) && holder.parent !== undefined) {
    const lines = content.lines.map((line) => (line === "" ? "" : `    ${line}`));
    return putText(flow, holder, { first: "", rest: [`  ${key}:`, ...lines] });
  }
  return add(flow, holder, key, content.values);
}

/** Removes a step with the comments that belong to it; a list that loses its last step becomes `[]`. */
export function removeStep(flow: FlowText, itemPath: Path): Change[] {
  return prove(flow, drop(flow, editablePlace(flow, itemPath)), (root) => without(root, itemPath));
}

/** Puts another step in the place of one; comments above it stay. */
export function replaceStep(flow: FlowText, itemPath: Path, step: object | string): Change[] {
  const { lines, values } = readContent(step);
  if (values.length !== 1) throw new EditRefused("clipboard");
  const place = editablePlace(flow, itemPath);
  const [first = "", ...rest] = lines;
  const plainLines = place.inFlow || !first.startsWith("-");
  const changes = plainLines ? put(flow, place, values[0]) : putText(flow, place, { first: first.slice(1), rest });
  return prove(flow, changes, (root) => withValue(root, itemPath, values[0]));
}

/**
 * Moves a step before the one of an index of a list. Path and index are those before the move: in its own list, the
 * index of a step and the one after it leave it where it is.
 */
export function moveStep(flow: FlowText, itemPath: Path, toStepsPath: Path, toIndex: number): Change[] {
  const from = itemPath.slice(0, -1);
  const index = Number(itemPath.at(-1));
  const place = editablePlace(flow, itemPath);
  if (begins(toStepsPath, place.path)) throw new EditRefused("intoItself");
  const own = samePath(from, toStepsPath);
  const goal = placeAt(flow, toStepsPath);
  const gap = Math.min(toIndex, isSeq(goal?.node) ? goal.node.items.length : 0);
  if (own && (gap === index || gap === index + 1)) return [];
  const content = contentAt(flow, place, goal);
  const changes = apart(flow.text, drop(flow, place), inserted(flow, toStepsPath, gap, content));
  return prove(flow, changes, (root) => {
    const left = withItems(withValue(root, itemPath, moved), toStepsPath, gap, content.values);
    return withoutMoved(left);
  });
}

/** Stands for a step that is moved while its new place is counted as before the move. */
const moved = Symbol("moved");

function withoutMoved(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== moved).map(withoutMoved);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutMoved(one)]));
}

/** Where a step leaves the end of the lines that it goes behind, both changes are one. */
function apart(text: string, removed: readonly Change[], added: readonly Change[]): Change[] {
  const [insertion, ...others] = added;
  const covered = removed.find(
    ({ from, to }) => insertion !== undefined && from < insertion.from && insertion.from < to,
  );
  if (insertion === undefined || covered === undefined || others.length > 0 || insertion.to !== insertion.from) {
    return [...removed, ...added];
  }
  const newline = /^\r?\n/.exec(insertion.insert)?.[0] ?? "";
  const last = /^\r?\n/.test(text.slice(covered.from, covered.from + 2));
  const insert = last ? insertion.insert : insertion.insert.slice(newline.length) + newline;
  return [...removed.filter((one) => one !== covered), { ...covered, insert }];
}

/** Returns a step as it is written, with its comments, at column 0. */
export function contentAt(flow: FlowText, place: Place, target?: Place): Content {
  const { parent, index, node } = place;
  const value = valueAt(flow, place.path);
  if (!isSeq(parent) || node === null) return contentOf([value]);
  const toFlow =
    target !== undefined &&
    (target.inFlow || (isSeq(target.node) && target.node.flow === true && target.node.items.length > 0));
  if (parent.flow === true) return contentOf([value]);
  const lines = itemLines(flow, parent, index);
  if (toFlow && lines.some((line) => /(^|\s)#/.test(line))) throw new EditRefused("comments");
  return { lines, values: [value] };
}

/** The lines of an item of a list in block style, moved to column 0. */
export function itemLines(flow: FlowText, seq: YAMLSeq, index: number): string[] {
  const { text } = flow;
  const { from, end, dash, column } = itemBlock(flow, seq, index);
  const written = text.slice(from === dash ? dash : from, end).replaceAll("\r\n", "\n");
  const lines = written.split("\n");
  if (from === dash) lines[0] = " ".repeat(column) + lines[0];
  return shifted(lines, -column);
}

function begins(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((key, index) => String(path[index]) === String(key));
}

function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && begins(one, other);
}
