/** Offsets, in characters, of parts in the text that they were read from. */
import { isAlias, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";

export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === key);
}

export function startOf(node: unknown): number {
  const start = isNode(node) ? node.range?.[0] : undefined;
  if (start === undefined) throw new Error("something in it has no place of its own");
  return start;
}

/** Returns the end of a pair or a node, without the comments behind it. */
export function endOf(node: unknown): number {
  if (isMap(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  if (isNode(node)) return node.range?.[1] ?? startOf(node);
  const { key, value } = node as Pair;
  return endOf(isNode(value) || isAlias(value) ? value : key);
}

export function spacesAt(text: string, offset: number): number {
  return /^ */.exec(text.slice(offset))?.[0].length ?? 0;
}
