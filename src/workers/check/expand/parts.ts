/**
 * The keys of elements that are expanded to routes. The check accepts these keys, and editors and the reference show
 * their words.
 */
import type { JsonSchema } from "../json-schema.ts";

export interface Part {
  /** The type for the reference: `text`, `list of maps`. */
  readonly kind: string;
  /** Describes the key to users. */
  readonly words: string;
  /** The keys of a map, or of each map in a list. */
  readonly inner?: Parts;
}

export type Parts = Readonly<Record<string, Part>>;

/** Has only words: the check reports invalid values. */
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
/** A key without effect. */
export const idle = (why: string): Part => text(`No effect: ${why}.`);

export const forPeople = {
  description: text("Says what this part is for, to people."),
  note: text("A remark for people and designers."),
} as const satisfies Parts;
