/** Schemas for parts of a document of any shape. Pointers are RFC 6901. */
import * as z from "zod";
import { fields, isFields } from "../../shared/document-fields.ts";
import { pointerOf } from "../../shared/document-place.ts";
import type { Scalar } from "../../shared/mapping-models.ts";
import { readDocument } from "../../shared/read-document.ts";
import type { Findings } from "./value-findings.ts";

/** The document has an unknown shape: it is stored, and every lookup in it fails. */
export class NotUnderstood extends Error {}

/** Reads a part by its schema, and warns of unknown fields. Throws NotUnderstood. */
export function readPart<T>(schema: z.ZodType<T>, value: unknown, pointer: string, findings: Findings): T {
  const read = readDocument(schema, value);
  for (const { code, path, message } of read.warnings) {
    findings.warning(code, pointer + pointerOf(path), `${message}: it has no effect`);
  }
  if (read.value !== undefined) return read.value;
  const { path = [], message = "" } = read.problems[0] ?? {};
  throw new NotUnderstood(`${pointer}${pointerOf(path)} ${message}`);
}

/** `noun`: such as "a text". */
export function shape<T>(noun: string, is: (value: unknown) => boolean) {
  return z.custom<T>(is, { error: ({ input }) => notA(noun, input) });
}

/** An object with these fields; `example` is for messages. */
export function part<Shape extends z.core.$ZodShape>(known: Shape, example: string) {
  return fields(known, { expected: (value) => notA(`an object such as ${example}`, value) });
}

/** An object with any fields; `example` is for messages. */
export function anyFields(example: string) {
  return shape<Readonly<Record<string, unknown>>>(`an object such as ${example}`, isFields);
}

export const anything = z.unknown().optional();
export const text = shape<string>("a text", (value) => typeof value === "string").optional();
export const flag = shape<boolean>("true or false", (value) => typeof value === "boolean").optional();
export const list = shape<readonly unknown[]>("a list", Array.isArray);
export const scalar = shape<Scalar>("a value", isScalar);

export function isScalar(value: unknown): value is Scalar {
  if (typeof value === "number" || typeof value === "bigint") return true;
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/** Returns one of `words`. Warns of any other and returns the first word. */
export function wordOf<const T extends string>(
  value: string | undefined,
  pointer: string,
  words: readonly [T, ...T[]],
  findings: Findings,
): T | undefined {
  if (value === undefined) return undefined;
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  findings.warning("unknown_value", pointer, `it is one of ${words.join(", ")}; read as ${words[0]}`);
  return words[0];
}

function notA(noun: string, value: unknown): string {
  return `is ${kindOf(value)}, not ${noun}`;
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
