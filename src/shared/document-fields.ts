/** Objects of documents as schemas: loose, since a field that is not known is a warning that says what may have been meant. */
import * as z from "zod";
import { closest, listed } from "./suggest.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Fields of one object that are compared with those that are known: each costs time, and nobody reads so many. */
const mostHints = 100;

export interface FieldsOptions {
  /** What is said of a field that is not known here, by its name. */
  readonly hints?: Readonly<Record<string, string>>;
  /** A field that is not known is a problem: without it the object would mean more than was meant. */
  readonly strict?: boolean;
  /** Fields besides those of the shape that may be there, and that nothing is read of. */
  readonly remarks?: readonly string[];
  /** What is expected in place of a value that is no object. */
  readonly expected?: (value: unknown) => string;
}

/** An object with these fields. */
export function fields<Shape extends z.core.$ZodShape>(shape: Shape, options: FieldsOptions = {}) {
  const known = Object.keys(shape);
  const { hints = {}, strict = false, remarks = [], expected } = options;
  return z.preprocess((value, context) => {
    if (!isFields(value)) {
      const message = expected?.(value) ?? `an object with ${listed(known)} is expected`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    const unknown = Object.keys(value).filter((name) => !known.includes(name) && !remarks.includes(name));
    for (const [at, name] of unknown.entries()) {
      const message = `unknown field${at < mostHints ? hintFor(name, known, hints) : ""}`;
      context.addIssue({ code: "custom", path: [name], message, params: { code: "unknown_field", strict } });
    }
    return value;
  }, z.object(shape));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field's own value; not what every object has (`constructor`). */
export function own(from: Fields, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function hintFor(name: string, known: readonly string[], hints: Readonly<Record<string, string>>): string {
  const hint = own(hints, name);
  if (typeof hint === "string") return `: ${hint}`;
  const near = closest(name.slice(0, 60), known);
  return near === undefined ? `; known here are ${listed(known)}` : ` (did you mean '${near}'?)`;
}
