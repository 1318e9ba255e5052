/** Where the parts of a text begin and end: what the library's ranges say, without comments and white space behind. */
import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import { columnOf } from "./lines.ts";
import { isCollection, type Place, type YamlPair } from "./place.ts";
import { EditRefused } from "./refused.ts";

interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}

/** A pair or an item of a list as it is written. */
interface Written {
  readonly start?: readonly Token[];
  readonly sep?: readonly Token[] | null;
}

/** Returns where a node's text begins, behind its anchor and its tag. */
export function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Returns where the text of a node ends: behind its last character that is not white space or a comment. */
export function endOf(text: string, node: Node): number {
  const [start, end] = node.range ?? [0, 0];
  if (isCollection(node) && node.flow !== true) {
    const last = node.items.length - 1;
    if (last < 0) return end;
    return isMap(node) ? pairEnd(text, node.items[last] as YamlPair) : itemEnd(text, node as YAMLSeq, last);
  }
  if (isBlockScalar(node) && keepsEnd(text, start)) return end - newlineBefore(text, end);
  let at = end;
  while (at > start && /\s/.test(text[at - 1] as string)) at -= 1;
  return at;
}

export function isBlockScalar(node: unknown): boolean {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}

/** `|+`: empty lines at its end are part of the value. */
function keepsEnd(text: string, start: number): boolean {
  return /^[|>]\d?\+/.test(text.slice(start, start + 3));
}

function newlineBefore(text: string, at: number): number {
  if (text[at - 1] !== "\n") return 0;
  return text[at - 2] === "\r" ? 2 : 1;
}

/** Returns the end of the text before a pair's value: its colon, its anchor, its tag. */
export function headEnd(pair: YamlPair): number {
  const written = pair.srcToken as Written | undefined;
  return lastProperty(written?.sep ?? []) ?? pair.key.range?.[1] ?? 0;
}

export function pairEnd(text: string, pair: YamlPair): number {
  return isEmpty(pair.value) ? headEnd(pair) : endOf(text, pair.value as Node);
}

/** Returns where the dash of an item of a list stands. */
export function dashOf(seq: YAMLSeq, index: number): number {
  const dash = writtenItem(seq, index)?.start?.find(({ type }) => type === "seq-item-ind");
  if (dash === undefined) throw new EditRefused("spelling");
  return dash.offset;
}

/** Returns the end of the text before an item: its dash, its anchor, its tag. */
export function itemHeadEnd(seq: YAMLSeq, index: number): number {
  return lastProperty(writtenItem(seq, index)?.start ?? []) ?? dashOf(seq, index) + 1;
}

export function itemEnd(text: string, seq: YAMLSeq, index: number): number {
  const node = seq.items[index] as Node | null;
  return isEmpty(node) ? itemHeadEnd(seq, index) : endOf(text, node as Node);
}

function writtenItem(seq: YAMLSeq, index: number): Written | undefined {
  return (seq.srcToken as { readonly items?: readonly Written[] } | undefined)?.items?.[index];
}

function lastProperty(tokens: readonly Token[]): number | undefined {
  const last = tokens.findLast(({ type }) => ["map-value-ind", "seq-item-ind", "anchor", "tag"].includes(type));
  return last === undefined ? undefined : last.offset + last.source.length;
}

/** Whether a value is not written at all. */
export function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && !node.source);
}

/** Returns the column of the keys of a map in block style. */
export function keyColumn(text: string, map: YAMLMap): number {
  const first = map.items[0] as YamlPair;
  const written = first.srcToken as Written | undefined;
  if (written?.start?.some(({ type }) => type === "explicit-key-ind") === true) throw new EditRefused("spelling");
  return columnOf(text, startOf(first.key));
}

/** Returns the commas of a collection in flow style: the one before each item, and one behind the last at its index. */
export function commas(collection: YAMLMap | YAMLSeq): readonly (number | undefined)[] {
  const items = (collection.srcToken as { readonly items?: readonly Written[] } | undefined)?.items ?? [];
  return items.map(({ start }) => start?.find(({ type }) => type === "comma")?.offset);
}

/** Returns the end of a place's head, and of its text. */
export function extentOf(text: string, { node, pair, parent, index }: Place): { head: number; end: number } {
  if (pair !== undefined) return { head: headEnd(pair), end: pairEnd(text, pair) };
  if (isSeq(parent) && parent.flow !== true) {
    return { head: itemHeadEnd(parent, index), end: itemEnd(text, parent, index) };
  }
  if (node === null) throw new EditRefused("spelling");
  return { head: startOf(node), end: endOf(text, node) };
}
