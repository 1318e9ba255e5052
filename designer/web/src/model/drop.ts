/** Takes a key out of a map, or an item out of a list. */
import { isMap, isSeq, type YAMLMap, type YAMLSeq } from "yaml";
import { commas, dashOf, extentOf, headEnd, isEmpty, pairEnd, startOf } from "./extent.ts";
import { itemBlock } from "./items.ts";
import { beginsLine, lineStart, nextLine } from "./lines.ts";
import { type Place, placeAt, type YamlPair } from "./place.ts";
import { EditRefused } from "./refused.ts";
import type { Change, FlowText } from "./types.ts";

/** Removes what is at a place, with its key or its dash. */
export function drop(flow: FlowText, place: Place): Change[] {
  const { parent } = place;
  if (parent === undefined) throw new EditRefused("nowhere");
  if (parent.flow === true) return dropInFlow(flow.text, parent, place);
  if (isMap(parent)) return dropPair(flow, parent, place);
  return isSeq(parent) ? dropItem(flow, parent, place) : [];
}

/** Writes `{}` or `[]` behind the head of a collection that loses its last member. */
function emptied(flow: FlowText, place: Place, empty: string): Change[] {
  const holder = placeAt(flow, place.path.slice(0, -1));
  if (holder === undefined) throw new EditRefused("nowhere");
  if (holder.parent === undefined)
    return [{ from: startOfRoot(place), to: startOfRoot(place), insert: `${empty}${flow.newline}` }];
  const { head } = extentOf(flow.text, holder);
  return [{ from: head, to: head, insert: ` ${empty}` }];
}

function startOfRoot({ parent }: Place): number {
  return parent?.range?.[0] ?? 0;
}

function dropPair(flow: FlowText, map: YAMLMap, place: Place): Change[] {
  const { text } = flow;
  const pair = place.pair as YamlPair;
  const from = startOf(pair.key);
  const end = pairEnd(text, pair);
  const alone = map.items.length === 1;
  if (beginsLine(text, from)) {
    return [...(alone ? emptied(flow, place, "{}") : []), wholeLines(text, lineStart(text, from), end)];
  }
  if (alone) return [{ from, to: end, insert: "{}" }];
  // The first key stands behind a dash: the next one takes its place, or stays below when a comment is between them.
  const next = startOf((map.items[place.index + 1] as YamlPair).key);
  const comments = text.slice(end, next).includes("#");
  if (!comments) return [{ from, to: next, insert: "" }];
  return [{ from: backOverSpace(text, from), to: end, insert: "" }];
}

function backOverSpace(text: string, at: number): number {
  let start = at;
  while (/[ \t]/.test(text[start - 1] ?? "")) start -= 1;
  return start;
}

function dropItem(flow: FlowText, seq: YAMLSeq, place: Place): Change[] {
  const { text } = flow;
  const dash = dashOf(seq, place.index);
  if (!beginsLine(text, dash)) {
    const next = seq.items[place.index + 1] === undefined ? undefined : dashOf(seq, place.index + 1);
    if (next === undefined) return [{ from: dash, to: itemBlock(flow, seq, place.index).end, insert: "[]" }];
    return [{ from: dash, to: next, insert: "" }];
  }
  const block = itemBlock(flow, seq, place.index);
  return [...(seq.items.length === 1 ? emptied(flow, place, "[]") : []), wholeLines(text, block.from, block.end)];
}

/** Removes lines; of the last lines of a text without a newline at its end, the newline before them. */
export function wholeLines(text: string, from: number, end: number): Change {
  const to = nextLine(text, end);
  if (to < text.length || text.endsWith("\n") || from === 0) return { from, to, insert: "" };
  const before = text[from - 2] === "\r" ? from - 2 : from - 1;
  return { from: before, to, insert: "" };
}

function dropInFlow(text: string, parent: YAMLMap | YAMLSeq, place: Place): Change[] {
  const { index, pair, node } = place;
  const from = pair === undefined ? startOf(node ?? missing()) : startOf(pair.key);
  const end =
    pair === undefined ? extentOf(text, place).end : isEmpty(pair.value) ? headEnd(pair) : pairEnd(text, pair);
  const all = commas(parent);
  const after = all[index + 1];
  if (after !== undefined) {
    const to = after + 1 + (/^[ \t]*/.exec(text.slice(after + 1))?.[0].length ?? 0);
    if (!/[#\n]/.test(text.slice(end, after))) return [{ from, to, insert: "" }];
    return [
      { from, to: end, insert: "" },
      { from: after, to: after + 1, insert: "" },
    ];
  }
  const before = all[index];
  if (before === undefined) return [{ from, to: end, insert: "" }];
  if (!/[#\n]/.test(text.slice(before, from))) return [{ from: before, to: end, insert: "" }];
  return [
    { from: before, to: before + 1, insert: "" },
    { from, to: end, insert: "" },
  ];
}

function missing(): never {
  throw new EditRefused("spelling");
}
