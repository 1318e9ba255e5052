/** Edits of a JSON text as changes of it: what an edit is not about keeps its characters. */
import { applyChanges } from "../../model/index.ts";
import { same } from "../../model/prove.ts";
import type { Change, Path } from "../../model/types.ts";
import { dump, indentAt, isSpread, plainOf, styleOf } from "./json-style.ts";
import { type JsonNode, type JsonText, memberOf, nodeAt, readJson, sourceAt } from "./json-text.ts";
import { insertedAt, moved, renamed, withoutAt, withValue } from "./plain-edit.ts";
import { EditRefused } from "./refused.ts";

/** Sets the value at a path: it replaces the one there, or is a new member behind the others. Objects on the way are made. */
export function setValue(json: JsonText, path: Path, value: unknown): readonly Change[] {
  const here = nodeAt(json, path);
  if (here !== undefined) {
    const isLong = here.children !== undefined && isSpread(json.text, here) ? true : undefined;
    const insert = dump(value, styleOf(json.text), indentAt(json.text, here.offset), isLong);
    if (insert === sourceAt(json, path)) return [];
    return prove(json, [{ from: here.offset, to: here.offset + here.length, insert }], (root) =>
      withValue(root, path, plainOf(value)),
    );
  }
  const depth = path.findLastIndex((_, at) => nodeAt(json, path.slice(0, at)) !== undefined);
  const holder = nodeAt(json, path.slice(0, depth));
  if (holder?.type !== "object") throw new EditRefused("nowhere");
  const inner = path.slice(depth + 1).reduceRight<unknown>((made, name) => ({ [name]: made }), value);
  const name = String(path[depth]);
  return prove(json, insertPart(json, holder, holder.children?.length ?? 0, inner, name), (root) =>
    withValue(root, path, plainOf(value)),
  );
}

/** Removes a member or an item. What is not there changes nothing. */
export function removeValue(json: JsonText, path: Path): readonly Change[] {
  const holder = nodeAt(json, path.slice(0, -1));
  const at = partIndex(holder, path.at(-1));
  if (holder === undefined || at === -1) return [];
  return prove(json, dropPart(json.text, holder, at), (root) => withoutAt(root, path));
}

/** Inserts an item into a list, or with `name` a member into an object, before what stands at `at`. */
export function insertValue(json: JsonText, path: Path, at: number, value: unknown, name?: string): readonly Change[] {
  const holder = nodeAt(json, path);
  if (holder?.type !== (name === undefined ? "array" : "object")) throw new EditRefused("nowhere");
  if (name !== undefined && memberOf(holder, name) !== undefined) throw new EditRefused("name");
  return prove(json, insertPart(json, holder, at, value, name), (root) =>
    insertedAt(root, path, at, plainOf(value), name),
  );
}

/** Moves the part at `from` of a list or an object to the place `to`; the parts between make room. */
export function moveValue(json: JsonText, path: Path, from: number, to: number): readonly Change[] {
  const parts = nodeAt(json, path)?.children ?? [];
  if (parts[from] === undefined || parts[to] === undefined) throw new EditRefused("nowhere");
  const order = moved([...parts.keys()], from, to);
  const changes = order.flatMap((source, place) => {
    const [slot, part] = [parts[place] as JsonNode, parts[source] as JsonNode];
    const insert = json.text.slice(part.offset, part.offset + part.length);
    return source === place ? [] : [{ from: slot.offset, to: slot.offset + slot.length, insert }];
  });
  return prove(json, changes, (root) => withValue(root, path, movedParts(root, path, from, to)));
}

/** Renames the member at a path. */
export function renameMember(json: JsonText, path: Path, name: string): readonly Change[] {
  const holder = nodeAt(json, path.slice(0, -1));
  const key = holder?.type === "object" ? memberOf(holder, String(path.at(-1)))?.children?.[0] : undefined;
  if (holder === undefined || key === undefined) throw new EditRefused("nowhere");
  if (name === key.value) return [];
  if (memberOf(holder, name) !== undefined) throw new EditRefused("name");
  const insert = JSON.stringify(name);
  return prove(json, [{ from: key.offset, to: key.offset + key.length, insert }], (root) => renamed(root, path, name));
}

function movedParts(root: unknown, path: Path, from: number, to: number): unknown {
  const holder = path.reduce<unknown>((at, key) => (at as Readonly<Record<string | number, unknown>>)[key], root);
  if (Array.isArray(holder)) return moved(holder, from, to);
  return Object.fromEntries(moved(Object.entries(holder as object), from, to));
}

function partIndex(holder: JsonNode | undefined, key: string | number | undefined): number {
  const parts = holder?.children ?? [];
  if (holder?.type === "array") return Number(key) < parts.length ? Number(key) : -1;
  return holder?.type === "object" ? parts.findIndex(({ children }) => children?.[0]?.value === key) : -1;
}

function insertPart(json: JsonText, holder: JsonNode, at: number, value: unknown, name?: string): Change[] {
  const { text } = json;
  const style = styleOf(text);
  const parts = holder.children ?? [];
  const indentOf = (offset: number): string => indentAt(text, offset);
  const written = (indent: string, isLong?: boolean): string =>
    (name === undefined ? "" : JSON.stringify(name) + style.colon) + dump(value, style, indent, isLong);
  if (parts.length === 0) {
    const indent = indentOf(holder.offset);
    const [open, close] = holder.type === "array" ? "[]" : "{}";
    const isLong = style.unit !== "" && text.includes("\n") && typeof value === "object";
    const inner = indent + style.unit;
    const insert = isLong
      ? `${open}${style.newline}${inner}${written(inner)}${style.newline}${indent}${close}`
      : `${open}${style.pad}${written(indent)}${style.pad}${close}`;
    return [{ from: holder.offset, to: holder.offset + holder.length, insert }];
  }
  const beside = parts[Math.min(at, parts.length - 1)] as JsonNode;
  const isLong = holder.type === "array" && beside.type === "object" && isSpread(text, beside) ? true : undefined;
  const spread = isSpread(text, holder);
  const indent = indentOf(beside.offset);
  const separator = spread ? style.newline + indent : style.gap;
  if (at < parts.length) {
    return [{ from: beside.offset, to: beside.offset, insert: `${written(indent, isLong)},${separator}` }];
  }
  const end = beside.offset + beside.length;
  return [{ from: end, to: end, insert: `,${separator}${written(indent, isLong)}` }];
}

/** Removes a part with the comma that belongs to it. */
function dropPart(text: string, holder: JsonNode, at: number): Change[] {
  const parts = holder.children ?? [];
  const part = parts[at] as JsonNode;
  const [before, after] = [parts[at - 1], parts[at + 1]];
  const endOf = ({ offset, length }: JsonNode): number => offset + length;
  if (after !== undefined) return [{ from: part.offset, to: after.offset, insert: "" }];
  if (before !== undefined) return [{ from: endOf(before), to: endOf(part), insert: "" }];
  const [open, close] = [holder.offset + 1, endOf(holder) - 1];
  return text.slice(open, close) === "" ? [] : [{ from: open, to: close, insert: "" }];
}

/** Returns the changes, or refuses them: the result must read as the same edit of plain data, with the same order. */
function prove(json: JsonText, changes: readonly Change[], edit: (root: unknown) => unknown): readonly Change[] {
  if (json.errors.length > 0) throw new EditRefused("json");
  const after = readJson(applyChanges(json.text, changes));
  const expected = edit(json.value);
  if (after.errors.length > 0 || !same(after.value, expected)) throw new EditRefused("unproved");
  return changes;
}
