/** JSON among the values of an exchange that crosses threads: known there from maps and lists, which print otherwise. */
import { limitTable } from "../shared/limits.ts";
import { isPlainObject } from "./engine/convert.ts";
import { JsonText } from "./engine/exchange.ts";
import { FormBody } from "./engine/form.ts";
import { JsonNode, jsonNode } from "./engine/json-node.ts";
import { parseJson } from "./engine/parse-json.ts";

/** No name that people write; a map that has it all the same is taken for JSON, which it holds. */
const mark = "\u0000json";
/** Lists inside each other that are looked into: groups of groups. */
const mostLists = 32;
const maxBytes = limitTable.messageBodyBytes.ceiling;

/**
 * Marked, also as elements of lists: the text of JSON that came as text, the value of what an expression has made. Any other value as it
 * is.
 */
export function outgoing(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return changedElements(value, outgoing, depth);
  if (!(value instanceof JsonText) || value instanceof FormBody) return value;
  return { [mark]: value instanceof JsonNode ? value.value : value.text };
}

/** What `outgoing` was given, of a value that has been JSON in between. */
export function incoming(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return changedElements(value, incoming, depth);
  if (!isPlainObject(value) || !Object.hasOwn(value, mark)) return value;
  const content = value[mark];
  return typeof content === "string" ? new JsonText(content, parseJson(content)) : jsonNode(content, maxBytes);
}

/** The list itself when no element is another one. */
function changedElements(list: readonly unknown[], change: typeof outgoing, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  if (depth === mostLists) return list;
  list.forEach((element, at) => {
    const changed = change(element, depth + 1);
    if (changed === element) return;
    copy ??= list.slice();
    copy[at] = changed;
  });
  return copy ?? list;
}
