/** Values of options as fields show and write them. */
import { stringify } from "yaml";
import type { FieldKind } from "./fields.ts";

export function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

/** What a field writes for a text: a number where the option is one, nothing for an empty text. */
export function readValue(kind: FieldKind, text: string): unknown {
  if (text === "") return undefined;
  return kind === "number" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A value that no field shows, as YAML. */
export function plainText(value: unknown): string {
  return stringify(value).trimEnd();
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
