/** The one reader of documents that come from outside: a zod schema, and everything that is wrong at once, with its place. */
import type * as z from "zod";
import { isFields } from "./document-fields.ts";
import { type Path, pointerOf } from "./document-place.ts";

/** Something that was found in a document. */
export interface Note {
  /** Where it stands; empty for the whole document. */
  readonly path: Path;
  /** What kind it is, where that is distinguished: `unknown_field`, or what the schema's check says. */
  readonly code: string;
  /** Without the place. */
  readonly message: string;
}

export interface DocumentRead<T> {
  /** The document as its schema understands it; undefined when there is a problem. */
  readonly value: T | undefined;
  /** Fields that are not known. The value is read as if they were not there. */
  readonly warnings: readonly Note[];
  readonly problems: readonly Note[];
}

/** `at`: where the value stands in the document that notes speak of. */
export function readDocument<T>(schema: z.ZodType<T>, value: unknown, at: Path = []): DocumentRead<T> {
  const warnings: Note[] = [];
  const refused: Note[] = [];
  let rest = value;
  for (;;) {
    const read = schema.safeParse(rest);
    if (read.success) return { value: refused.length === 0 ? read.data : undefined, warnings, problems: refused };
    const unknown = read.error.issues.filter(isUnknownField);
    // Checks that need an object as a whole have not seen it yet: they see it without the fields that are not known.
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

/** `/mocks/0/times: a whole number is expected`; `whole` is what stands in place of the empty pointer. */
export function placed({ path, message }: Pick<Note, "path" | "message">, whole: string): string {
  return `${path.length === 0 ? whole : pointerOf(path)}: ${message}`;
}

function isUnknownField(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueCustom {
  return issue.code === "custom" && issue.params?.["code"] === "unknown_field";
}

/** Whether the object at `path` has a field that is refused: what the object lacks is probably what that was meant as. */
function lacks(refused: readonly Note[], path: Path): boolean {
  const pointer = pointerOf(path);
  return refused.some((field) => pointerOf(field.path.slice(0, -1)) === pointer);
}

function note(issue: z.core.$ZodIssue, at: Path): Note {
  const code: unknown = issue.code === "custom" ? issue.params?.["code"] : undefined;
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  return { path: [...at, ...path], code: typeof code === "string" ? code : "bad_value", message: issue.message };
}

/** Fields that are left out: below each name what is left out there; nothing below it means the field itself. */
type Cuts = Map<PropertyKey, Cuts>;
const none: Cuts = new Map();

/** The value without the fields at `paths`; the value itself when it has none of them. */
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
