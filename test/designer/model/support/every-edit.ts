/** Makes every edit at every step of a text, and compares each result with the same edit of plain data. */
import { isDeepStrictEqual } from "node:util";
import { Lexer, parseAllDocuments } from "yaml";
import {
  allSteps,
  applyChanges,
  type Change,
  copySteps,
  EditRefused,
  insertStep,
  moveStep,
  type Path,
  parse,
  pasteSteps,
  removeOption,
  removeStep,
  setOption,
  shortOption,
  tree,
} from "../../../../designer/web/src/model/index.ts";

export interface Tally {
  readonly done: Record<string, number>;
  readonly refused: Record<string, number>;
  readonly failures: string[];
}

export function newTally(): Tally {
  return { done: {}, refused: {}, failures: [] };
}

type Data = Record<string | number, unknown>;

function read(text: string): unknown {
  const documents = [...parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" })];
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  return documents.length === 1 ? documents[0]?.toJS({ maxAliasCount: -1 }) : documents.map((one) => one.toJS());
}

function holder(root: unknown, path: Path): Data {
  return path.reduce((at, key) => (at as Data)[key], root) as Data;
}

/** From the comment lines right above a part to the end of its last line: the comments in there are the part's own. */
function withComments(text: string, { from, to }: { readonly from: number; readonly to: number }): string {
  let start = text.lastIndexOf("\n", from - 1) + 1;
  for (;;) {
    const above = text.lastIndexOf("\n", start - 2) + 1;
    if (start === 0 || !/^\s*#/.test(text.slice(above, start))) break;
    start = above;
  }
  const end = text.indexOf("\n", to);
  return text.slice(start, end < 0 ? undefined : end);
}

/** Texts of comments; those of a part that is removed are left out by the caller. */
function comments(text: string): string[] {
  return [...new Lexer().lex(text)].filter((token) => token.startsWith("#")).map((token) => token.trim());
}

function isWithin(few: readonly string[], many: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const one of many) left.set(one, (left.get(one) ?? 0) + 1);
  return few.every((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count > 0;
  });
}

/** Whether all lines stand in other lines in their order. */
function isSubsequence(few: readonly string[], many: readonly string[]): boolean {
  let at = 0;
  for (const line of many) if (line === few[at]) at += 1;
  return at === few.length;
}

/** With `each`, only at every so manieth step, from the one of number `first` on. */
export function everyEdit(text: string, name: string, tally: Tally, { each = 1, first = 0 } = {}): void {
  const flow = parse(text);
  if (flow.errors.length > 0 || flow.documents.length !== 1) return;
  const steps = allSteps(tree(flow)).filter(({ shared }) => shared === undefined);
  const before = comments(text);

  // In braces and brackets, what is added stands on a line that is there.
  let inBlock = true;
  const attempt = (
    kind: string,
    make: () => Change[],
    edit: (root: Data) => void,
    removes: readonly string[] | undefined,
    grows: boolean,
    normal: (value: unknown) => unknown = (value) => value,
  ): void => {
    let after: string;
    try {
      after = applyChanges(text, make());
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      const key = `${kind}: ${error.reason}`;
      tally.refused[key] = (tally.refused[key] ?? 0) + 1;
      return;
    }
    tally.done[kind] = (tally.done[kind] ?? 0) + 1;
    const fail = (why: string): void => void tally.failures.push(`${name}: ${kind}: ${why}\n${after}`);
    const root = structuredClone({ root: read(text) }) as Data;
    edit(root);
    let found: unknown;
    try {
      found = read(after);
    } catch (error) {
      fail(String(error));
      return;
    }
    if (!isDeepStrictEqual(normal(found), normal(root["root"]))) {
      fail("another value");
      return;
    }
    const kept = removes === undefined ? before : before.filter((one) => !removes.includes(one));
    if (!isWithin(kept, comments(after))) {
      fail("a comment is lost");
      return;
    }
    if (grows && inBlock && !isSubsequence(text.split("\n").map(bare), after.split("\n").map(bare))) {
      fail("another line is touched");
      return;
    }
    if (text.includes("\r\n") && /[^\r]\n/.test(after)) {
      fail("a newline is of the other kind");
      return;
    }
  };

  for (const [index, step] of steps.entries()) {
    if (index % each !== first) continue;
    const { path, itemPath, range } = step;
    const listPath = itemPath.slice(0, -1);
    const at = Number(itemPath.at(-1));
    inBlock = text[range.from] === "-" && !/[-:]\s*[{[]/.test(text.slice(range.from, range.to).split("\n", 1)[0] ?? "");
    if (typeof itemPath.at(-1) !== "number") continue;
    const list = (root: Data) => holder(root, ["root", ...listPath]) as unknown as unknown[];
    const own = comments(withComments(text, range));
    const value = holder({ root: read(text) }, ["root", ...path]) as unknown;
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isMap) {
      const map = (root: Data) => holder(root, ["root", ...path]);
      attempt(
        "set description",
        () => setOption(flow, [...path, "description"], "a: b # c"),
        (root) => void (map(root)["description"] = "a: b # c"),
        undefined,
        !("description" in value) && Object.keys(value).length > 0,
      );
      attempt(
        "set lines",
        () => setOption(flow, [...path, "note"], "one\n  two: 3\n\nfour"),
        (root) => void (map(root)["note"] = "one\n  two: 3\n\nfour"),
        undefined,
        !("note" in value) && Object.keys(value).length > 0,
      );
      attempt(
        "set id",
        () => setOption(flow, [...path, "id"], "an-id"),
        (root) => void (map(root)["id"] = "an-id"),
        undefined,
        false,
      );
      attempt(
        "set deep",
        () => setOption(flow, [...path, "x", "y"], 1),
        (root) => void (map(root)["x"] = { y: 1 }),
        undefined,
        Object.keys(value).length > 0,
      );
      for (const key of Object.keys(value)) {
        attempt(
          "remove option",
          () => removeOption(flow, [...path, key]),
          (root) => void delete map(root)[key],
          own,
          false,
        );
        const now = (value as Data)[key];
        if (typeof now === "string")
          attempt(
            "change option",
            () => setOption(flow, [...path, key], `${now}!`),
            (root) => void (map(root)[key] = `${now}!`),
            undefined,
            false,
          );
      }
    } else if (typeof value === "string") {
      const key = String(path.at(-1));
      const widened = { [shortOption(key) ?? ""]: value, id: "an-id" };
      attempt(
        "widen",
        () => setOption(flow, [...path, "id"], "an-id"),
        (root) => void (holder(root, ["root", ...itemPath])[key] = widened),
        undefined,
        false,
      );
    }
    const made = { log: { id: "new", message: "x" } };
    attempt(
      "insert",
      () => insertStep(flow, listPath, at, made),
      (root) => void list(root).splice(at, 0, made),
      undefined,
      true,
    );
    attempt(
      "append",
      () => insertStep(flow, listPath, at + 1, "# why\nlog:\n  # what\n  message: y"),
      (root) => void list(root).splice(at + 1, 0, { log: { message: "y" } }),
      undefined,
      true,
    );
    attempt(
      "remove",
      () => removeStep(flow, itemPath),
      (root) => void list(root).splice(at, 1),
      own,
      false,
    );
    attempt(
      "down",
      () => moveStep(flow, itemPath, listPath, at + 2),
      (root) => void (at + 1 < list(root).length ? list(root).splice(at + 1, 0, ...list(root).splice(at, 1)) : 0),
      undefined,
      false,
    );
    attempt(
      "to front",
      () => moveStep(flow, itemPath, listPath, 0),
      (root) => void list(root).unshift(...list(root).splice(at, 1)),
      undefined,
      false,
    );
    const other = steps[(index * 7 + 3) % steps.length];
    if (other !== undefined && typeof other.itemPath.at(-1) === "number") {
      const target = other.itemPath.slice(0, -1);
      const to = Number(other.itemPath.at(-1));
      const inside = JSON.stringify(target).startsWith(JSON.stringify(itemPath).slice(0, -1));
      if (!inside && JSON.stringify(target) !== JSON.stringify(listPath)) {
        attempt(
          "move away",
          () => moveStep(flow, itemPath, target, to),
          (root) => {
            const goal = holder(root, ["root", ...target]) as unknown as unknown[];
            const from = list(root);
            const moved = from[at];
            from.splice(at, 1);
            goal.splice(to, 0, moved);
          },
          undefined,
          false,
        );
      }
    }
    for (const branch of step.branches) {
      const target = holder({ root: read(text) }, ["root", ...branch.path]) as Data | null;
      if (target === null || typeof target !== "object") continue;
      attempt(
        "into branch",
        () => insertStep(flow, branch.stepsPath, 0, made),
        (root) => {
          const map = holder(root, ["root", ...branch.path]);
          map["steps"] = [made, ...((map["steps"] as unknown[] | null | undefined) ?? [])];
        },
        undefined,
        false,
      );
    }
    attempt(
      "paste",
      () => pasteSteps(flow, listPath, at, copySteps(flow, [itemPath])),
      (root) => {
        const [first] = structuredClone(list(root).slice(at, at + 1));
        list(root).splice(at, 0, first);
      },
      undefined,
      true,
      withoutIds,
    );
  }
}

const bare = (line: string): string => line.replace(/\r$/, "");

/** The ids of what is pasted are new. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one) => (key === "id" || key === "stepId" ? undefined : one)));
}
