/** Items of lists in block style, with the comments that belong to them. */
import { isSeq, type Node, type YAMLSeq } from "yaml";
import { dumpFlow } from "./dump.ts";
import { commas, dashOf, endOf, itemEnd, startOf } from "./extent.ts";
import { beginsLine, columnOf, commentColumn, lineEnd, lineStart, nextLine } from "./lines.ts";
import { isNothing, type Place } from "./place.ts";
import { putText } from "./put.ts";
import { EditRefused } from "./refused.ts";
import type { Change, FlowText } from "./types.ts";

export interface ItemBlock {
  readonly from: number;
  /** The end of its last line, before the newline. */
  readonly end: number;
  readonly dash: number;
  readonly column: number;
}

/** What is inserted: items of a list in block style at column 0, and what they say. */
export interface Content {
  readonly lines: readonly string[];
  readonly values: readonly unknown[];
}

/**
 * Returns the lines of an item. Comments directly above it at the column of its dash are its own, and comments directly
 * below it that are indented deeper.
 */
export function itemBlock({ text }: FlowText, seq: YAMLSeq, index: number): ItemBlock {
  const dash = dashOf(seq, index);
  const column = columnOf(text, dash);
  let from = beginsLine(text, dash) ? lineStart(text, dash) : dash;
  while (from > 0 && from !== dash) {
    const above = lineStart(text, from - 1);
    if (above >= from || commentColumn(text, above) !== column) break;
    from = above;
  }
  let end = lineEnd(text, itemEnd(text, seq, index));
  for (;;) {
    const below = nextLine(text, end);
    const comment = below < text.length ? commentColumn(text, below) : undefined;
    if (comment === undefined || comment <= column) return { from, end, dash, column };
    end = lineEnd(text, below);
  }
}

/** Inserts items into the list at a place before the item of an index; the list may be empty or not written yet. */
export function insertItems(flow: FlowText, place: Place, index: number, content: Content): Change[] {
  const { node } = place;
  if (content.values.length === 0) return [];
  if (!isSeq(node) && !isNothing(place) && endOfNull(place)) throw new EditRefused("noList");
  if (!isSeq(node) || node.items.length === 0) return fill(flow, place, content);
  if (node.flow === true) return insertInFlow(flow.text, node, index, content);
  const { text, newline } = flow;
  const last = index >= node.items.length;
  const block = itemBlock(flow, node, last ? node.items.length - 1 : index);
  if (!beginsLine(text, block.dash)) throw new EditRefused("spelling");
  const lines = content.lines.map((line) => (line === "" ? "" : " ".repeat(block.column) + line));
  if (last) return [{ from: block.end, to: block.end, insert: lines.map((line) => newline + line).join("") }];
  return [{ from: block.from, to: block.from, insert: lines.map((line) => line + newline).join("") }];
}

function endOfNull({ node }: Place): boolean {
  return (node as { value?: unknown } | null)?.value !== null;
}

function fill(flow: FlowText, place: Place, content: Content): Change[] {
  if (place.inFlow) {
    const insert = `[${content.values.map((value) => dumpFlow(value)).join(", ")}]`;
    if (place.node === null || isNothing(place)) throw new EditRefused("spelling");
    return [{ from: startOf(place.node), to: endOf(flow.text, place.node), insert }];
  }
  if (place.parent !== undefined) {
    return putText(flow, place, { first: "", rest: content.lines.map((line) => (line === "" ? "" : `  ${line}`)) });
  }
  const text = content.lines.join(flow.newline);
  if (place.node === null || isNothing(place)) {
    const end = flow.text.length;
    const before = flow.text === "" || flow.text.endsWith("\n") || flow.text === "\ufeff" ? "" : flow.newline;
    return [{ from: end, to: end, insert: before + text + flow.newline }];
  }
  return [{ from: startOf(place.node), to: endOf(flow.text, place.node), insert: text }];
}

function insertInFlow(text: string, seq: YAMLSeq, index: number, { values }: Content): Change[] {
  const written = values.map((value) => dumpFlow(value)).join(", ");
  const at = seq.items[index] as Node | null | undefined;
  if (index < seq.items.length && at != null) return [{ from: startOf(at), to: startOf(at), insert: `${written}, ` }];
  const last = seq.items.at(-1) as Node | null;
  if (last === null || commas(seq).length === 0) throw new EditRefused("spelling");
  const end = endOf(text, last);
  return [{ from: end, to: end, insert: `, ${written}` }];
}
