/** The nodes of a YAML document for the check: maps, lists and scalars with their places and source texts. */
import type { Position } from "../../shared/diagnostic.ts";
import { toCamelCase } from "../engine/slots.ts";

export { toCamelCase };

export type Node = ScalarNode | MapNode | SeqNode;

interface Placed {
  readonly at: Position;
  /** The JSON Pointer in the document as written. */
  readonly pointer: string;
}

export interface ScalarNode extends Placed {
  readonly kind: "scalar";
  /**
   * The text as written, regardless of its YAML type (`007`, `yes`, `1e3`); null for `~`, `null` and an empty value.
   */
  readonly text: string | null;
  readonly layout: Layout;
}

export interface MapNode extends Placed {
  readonly kind: "map";
  readonly entries: readonly Entry[];
  /** Keys whose whole value was a `{{?name}}` without a value. */
  readonly dropped: readonly string[];
}

export interface SeqNode extends Placed {
  readonly kind: "seq";
  readonly items: readonly Node[];
}

export interface Entry {
  readonly key: string;
  /** The key as it is in the text, where `key` is the option that it means. */
  readonly written?: string;
  readonly keyAt: Position;
  readonly value: Node;
  /** true: an expansion has generated it, so it may name internal steps. */
  readonly generated?: true;
}

/**
 * How a scalar's characters map to the document. `line`: its text is on one line exactly as written, from this
 * position. `block`: a literal block with its first line here, each line indented alike. `folded`: positions are
 * unknown.
 */
export type Layout =
  | { readonly kind: "line" | "block"; readonly line: number; readonly column: number }
  | { readonly kind: "folded" };

/** The place of a problem: a node, or a key of a map. */
export interface Where {
  readonly at: Position;
  readonly pointer: string;
}

export function atKey(entry: Entry): Where {
  return { at: entry.keyAt, pointer: entry.value.pointer };
}

/**
 * Returns the place of `length` characters of a scalar from `index` on; the whole scalar if its layout has no
 * positions.
 */
export function placeInside(scalar: ScalarNode, index: number, length = 1): Where {
  const { layout, text, pointer } = scalar;
  if (layout.kind === "folded" || text === null) return scalar;
  const start = Math.max(0, Math.min(index, text.length));
  const before = text.slice(0, start);
  const newlines = layout.kind === "block" ? before.split("\n").length - 1 : 0;
  const line = layout.line + newlines;
  const column = layout.column + (newlines === 0 ? start : start - before.lastIndexOf("\n") - 1);
  return { at: { line, column, endLine: line, endColumn: column + Math.max(1, length) }, pointer };
}

/** Returns the entry of a map with this key, as written or in kebab-case. */
export function entryOf(map: MapNode, key: string): Entry | undefined {
  return map.entries.find((entry) => entry.key === key || toCamelCase(entry.key) === key);
}

/** Returns the name of a node's kind for messages. */
export function describeNode(node: Node): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "seq") return "a list";
  return node.text === null ? "nothing" : `'${shorten(node.text)}'`;
}

function shorten(text: string, length = 60): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length)}...` : line;
}

export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
