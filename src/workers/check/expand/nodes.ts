/** Makes nodes that are not in the text, with the place of the element that they were made for. */
import { type Entry, entryOf, type MapNode, type Node, type ScalarNode, type SeqNode, type Where } from "../tree.ts";

const folded = { kind: "folded" } as const;

export function scalarAt(text: string, { at, pointer }: Where): ScalarNode {
  return { kind: "scalar", text, at, pointer, layout: folded };
}

/** Omits keys whose value is undefined. */
export function mapAt(where: Where, values: Readonly<Record<string, Node | string | undefined>>): MapNode {
  const entries: Entry[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const node = typeof value === "string" ? scalarAt(value, where) : value;
    entries.push({ key, keyAt: where.at, value: node });
  }
  return { kind: "map", entries, dropped: [], at: where.at, pointer: where.pointer };
}

export function seqAt({ at, pointer }: Where, items: readonly Node[]): SeqNode {
  return { kind: "seq", items, at, pointer };
}

/** Makes `name: value` as an item of a list, marked as generated. */
export function itemAt(where: Where, name: string, value: Node): MapNode {
  const entry: Entry = { key: name, keyAt: where.at, value, generated: true };
  return { kind: "map", entries: [entry], dropped: [], at: where.at, pointer: where.pointer };
}

/** Returns the map with one value replaced; adds the key at the end if it is new. */
export function withEntry(map: MapNode, key: string, value: Node): MapNode {
  const old = entryOf(map, key);
  const entry: Entry = { key, keyAt: old?.keyAt ?? value.at, value };
  return { ...map, entries: old ? map.entries.map((e) => (e === old ? entry : e)) : [...map.entries, entry] };
}

export function withoutEntries(map: MapNode, keys: readonly string[]): MapNode {
  const gone = new Set(keys.map((key) => entryOf(map, key)));
  return { ...map, entries: map.entries.filter((entry) => !gone.has(entry)) };
}

/** Returns the node with all parts at one place. */
export function movedTo(node: Node, where: Where): Node {
  const { at, pointer } = where;
  if (node.kind === "scalar") return { ...node, at, pointer, layout: folded };
  if (node.kind === "seq") return { ...node, at, pointer, items: node.items.map((item) => movedTo(item, where)) };
  const entries = node.entries.map((e) => ({ ...e, keyAt: at, value: movedTo(e.value, where) }));
  return { ...node, at, pointer, entries };
}

export function sizeOf(node: Node): number {
  if (node.kind === "scalar") return 1;
  const inner = node.kind === "seq" ? node.items : node.entries.map(({ value }) => value);
  return inner.reduce((sum, child) => sum + sizeOf(child), 1);
}

/** Returns the text of a scalar that is not empty. */
export function scalarText(node: Node | undefined): string | undefined {
  if (node?.kind !== "scalar" || node.text === null) return undefined;
  const text = node.text.trim();
  return text === "" ? undefined : text;
}

export function isNothing(node: Node | undefined): boolean {
  return node === undefined || (node.kind === "scalar" && node.text === null);
}
