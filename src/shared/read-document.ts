/** Reads documents from outside by a zod schema, and reports all problems at once, each with its place. */

import type * as z from "zod";
import { isFields } from "./document-fields.ts";
import { type Path, pointerOf } from "./document-place.ts";

/** A finding in a document. */
export interface Note {
  /** Its place; empty for the whole document. */
  readonly path: Path;
  /** Its kind, where kinds are distinguished: `unknown_field`, or a code of the schema's check. */
  readonly code: string;
  /** The message, without the place. */
  readonly message: string;
}

export interface DocumentRead<T> {
  /** The parsed document; undefined when there is a problem. */
  readonly value: T | undefined;
  /** Unknown fields. The value is read as if they were absent. */
  readonly warnings: readonly Note[];
  readonly problems: readonly Note[];
}

/** Reads a value. `at`: its place in the document that the notes refer to. */
export function readDocument<T>(schema: z.ZodType<T>, value: unknown, at: Path = []): DocumentRead<T> {
  const warnings: Note[] = [];
  const refused: Note[] = [];
  let rest = value;
  for (;;) {
    const read = schema.safeParse(rest);
    if (read.success) return { value: refused.length === 0 ? read.data : undefined, warnings, problems: refused };
    const unknown = read.error.issues.filter(isUnknownField);
    // The first pass skipped checks of whole objects. They run now, without the unknown fields.
    const next = without(
      rest,
      unknown.map(({ path }) => path),
    );
    if (next === rest) {
      const others = read.error.issues.map((issue) => note(issue, at)).filter(({ path }) => !lacks(refused, path));
      return { value: undefined, warnings, problems: [...refused, ...others] };
    }
    for (const issue of unknown) (issue.params?.["strict"] === true ? refused : warnings).push(note(issue, at));
    rest = next;
  }
}

/** Formats a note: `/mocks/0/times: a whole number is expected`; `whole` replaces the empty pointer. */
export function formatNote({ path, message }: Pick<Note, "path" | "message">, whole: string): string {
  return `${path.length === 0 ? whole : pointerOf(path)}: ${message}`;
}

function isUnknownField(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueCustom {
  return issue.code === "custom" && issue.params?.["code"] === "unknown_field";
}

/** Whether the object at `path` has a refused field, which probably is the missing one in another spelling. */
function lacks(refused: readonly Note[], path: Path): boolean {
  const pointer = pointerOf(path);
  return refused.some((field) => pointerOf(field.path.slice(0, -1)) === pointer);
}

function note(issue: z.core.$ZodIssue, at: Path): Note {
  const code: unknown = issue.code === "custom" ? issue.params?.["code"] : undefined;
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  return { path: [...at, ...path], code: typeof code === "string" ? code : "bad_value", message: issue.message };
}

/** Fields to leave out, nested by name; an empty entry means the field itself. */
type Cuts = Map<PropertyKey, Cuts>;
const none: Cuts = new Map();

/** Returns the value without the fields at `paths`; the value itself when it has none of them. */
function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  const root: Cuts = new Map();
  for (const path of paths) {
    let at = root;
    for (const key of path) {
      const inner = at.get(key) ?? new Map();
      at.set(key, inner);
      at = inner;
    }
  }
  return cut(value, root);
}

function cut(value: unknown, cuts: Cuts): unknown {
  if (Array.isArray(value)) {
    if (cuts.size === 0) return value;
    const items = value.map((item: unknown, at) => cut(item, cuts.get(at) ?? none));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isFields(value) || cuts.size === 0) return value;
  let changed = false;
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const inner = cuts.get(name);
    const less = inner === undefined ? member : cut(member, inner);
    if (inner?.size === 0 || less !== member) changed = true;
    return inner?.size === 0 ? [] : [[name, less]];
  });
  return changed ? Object.fromEntries(kept) : value;
}
