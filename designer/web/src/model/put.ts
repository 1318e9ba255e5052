/** Writes a value in the place of another, or a new key into a map. */
import { isMap, isScalar, type YAMLMap } from "yaml";
import { type Dumped, dumpFlow, dumpFlowPair, dumpItem, dumpPair, dumpUnder } from "./dump.ts";
import { extentOf, isBlockScalar, keyColumn, pairEnd, startOf } from "./extent.ts";
import { beginsLine, columnOf, lineEnd, lineStart } from "./lines.ts";
import { isCollection, isNothing, type Place, type YamlPair } from "./place.ts";
import { EditRefused } from "./refused.ts";
import type { Change, FlowText } from "./types.ts";

/** Keys whose values are long: other options are written before them. */
const blocks = new Set(["steps", "when", "otherwise", "doCatch", "doFinally", "onFallback", "from", "route"]);

/** Replaces the value of a place. */
export function put(flow: FlowText, place: Place, value: unknown): Change[] {
  const { text } = flow;
  const like = isScalar(place.node) ? place.node : undefined;
  if (place.inFlow) return putInFlow(text, place, dumpFlow(value, like));
  const dumped = place.pair === undefined ? dumpItem(value) : dumpUnder(value, like);
  return putText(flow, place, dumped);
}

function putInFlow(text: string, place: Place, insert: string): Change[] {
  const { head, end } = extentOf(text, place);
  if (place.node !== null && !isNothing(place)) return [{ from: startOf(place.node), to: end, insert }];
  const colon = text[head - 1] === ":" || place.pair?.value ? " " : ": ";
  return [{ from: head, to: head, insert: colon + insert }];
}

/** Writes text at a place in block style. What stands behind the old value on its line, a comment, stays there. */
export function putText(flow: FlowText, place: Place, { first, rest }: Dumped): Change[] {
  const { text, newline } = flow;
  const { head, end } = extentOf(text, place);
  const column = baseColumn(text, place);
  const below = rest.map((line) => newline + (line === "" ? "" : " ".repeat(column) + line)).join("");
  const nested =
    !isNothing(place) && ((isCollection(place.node) && place.node.flow !== true) || isBlockScalar(place.node));
  if (!nested) {
    // The value and its comment are on the line of the key, or the value ends on another line in front of a comment.
    const tail = lineEnd(text, end);
    return tidy([
      { from: head, to: end, insert: first },
      { from: tail, to: tail, insert: below },
    ]);
  }
  const line = lineEnd(text, head);
  if (place.node !== null && lineStart(text, startOf(place.node)) === lineStart(text, head)) {
    // A block text has its mark on the line of the key; a map begins on the line of its dash.
    if (isCollection(place.node)) return [{ from: head, to: end, insert: first + below }];
    const marked = /^[ \t]*[|>][-+\d]*/.exec(text.slice(head, line))?.[0].length ?? 0;
    return tidy([
      { from: head, to: head + marked, insert: first },
      { from: Math.min(line, Math.max(end, line)), to: Math.max(end, line), insert: below },
    ]);
  }
  return tidy([
    { from: head, to: head, insert: first },
    { from: line, to: end, insert: below },
  ]);
}

/** The column that the lines of a value are indented from: that of its key or its dash. */
function baseColumn(text: string, { node, pair, parent }: Place): number {
  if (pair !== undefined) return columnOf(text, startOf(pair.key));
  if (parent === undefined || node === null) return 0;
  return Math.max(0, columnOf(text, startOf(node)) - 2);
}

function tidy(changes: readonly Change[]): Change[] {
  return changes.filter(({ from, to, insert }) => from !== to || insert !== "");
}

/** Adds a key to a map, or to a place where nothing is written. */
export function add(flow: FlowText, place: Place, key: string, value: unknown): Change[] {
  const { node } = place;
  if (isMap(node) && node.items.length > 0) {
    return node.flow === true ? addInFlow(flow.text, node, key, value) : addLine(flow, node, key, value);
  }
  if (isMap(node) || isNothing(place) || (isScalar(node) && node.value === null)) {
    return put(flow, place, { [key]: value });
  }
  throw new EditRefused("noMap");
}

function addInFlow(text: string, map: YAMLMap, key: string, value: unknown): Change[] {
  const at = pairEnd(text, map.items.at(-1) as YamlPair);
  return [{ from: at, to: at, insert: `, ${dumpFlowPair(key, value)}` }];
}

function addLine({ text, newline }: FlowText, map: YAMLMap, key: string, value: unknown): Change[] {
  const indent = " ".repeat(keyColumn(text, map));
  const lines = dumpPair(key, value).map((line) => (line === "" ? "" : indent + line));
  const items = map.items as readonly YamlPair[];
  const block = blocks.has(key)
    ? -1
    : items.findIndex((pair) => isScalar(pair.key) && blocks.has(String(pair.key.value)));
  const first = items[0] as YamlPair;
  if (block === 0) {
    const key = startOf(first.key);
    // The first key of a list's entry stands behind the dash.
    const at = beginsLine(text, key) ? lineStart(text, key) : key;
    const insert = lines.map((line) => line + newline).join("");
    return [{ from: at, to: at, insert: at === key ? insert.slice(indent.length) + indent : insert }];
  }
  const before = items[block > 0 ? block - 1 : items.length - 1] as YamlPair;
  const at = lineEnd(text, pairEnd(text, before));
  return [{ from: at, to: at, insert: lines.map((line) => newline + line).join("") }];
}
