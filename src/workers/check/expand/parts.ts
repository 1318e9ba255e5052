/** What may stand in an element that becomes routes: the check knows a key by it, and editors and the reference have its words. */
import type { JsonSchema } from "../json-schema.ts";

export interface Part {
  /** As the reference names types: `text`, `list of maps`. */
  readonly kind: string;
  /** What it does, for those who write it. */
  readonly words: string;
  /** Of a map, or of each map of a list. */
  readonly inner?: Parts;
}

export type Parts = Readonly<Record<string, Part>>;

/** Words alone: what is wrong with a value, the check says. */
export function partsSchema(parts: Parts): JsonSchema {
  const properties = Object.entries(parts).map(([name, { kind, words, inner }]) => {
    const below = inner === undefined ? {} : partsSchema(inner);
    return [name, { description: words, "x-kind": kind, ...(kind.startsWith("list") ? { items: below } : below) }];
  });
  return { properties: Object.fromEntries(properties) };
}

export const text = (words: string): Part => ({ kind: "text", words });
export const flag = (words: string): Part => ({ kind: "true or false", words });
export const list = (words: string, inner: Parts): Part => ({ kind: "list of maps", words, inner });
/** Nothing reads it. */
export const idle = (why: string): Part => text(`No effect: ${why}.`);

export const forPeople = {
  description: text("Says what this part is for, to people."),
  note: text("A remark for people and designers."),
} as const satisfies Parts;
