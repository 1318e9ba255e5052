/** The text of a mapping's document, which is JSON, with the place of each value in it. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { lineColumnAt } from "../../model/index.ts";
import type { Path, Range, TextError } from "../../model/types.ts";
import { words } from "../../words.ts";

export type JsonNode = Node;

export interface JsonText {
  readonly text: string;
  /** undefined: nothing can be read. */
  readonly root: JsonNode | undefined;
  /** As JSON.parse has it; undefined while there are errors. */
  readonly value: unknown;
  /** In the order of the text. Nothing can be edited but the text itself while there are any. */
  readonly errors: readonly TextError[];
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Reads a text. Never throws: whatever cannot be read is an error with its place. */
export function readJson(text: string): JsonText {
  const found: ParseError[] = [];
  try {
    const root = parseTree(text, found, strict);
    const errors: TextError[] = found.map(({ error, offset, length }) => ({
      from: offset,
      to: Math.max(offset + length, offset + 1),
      message: words.messageMappings.notJson(printParseErrorCode(error), lineColumnAt(text, offset)),
    }));
    if (errors.length > 0 || root === undefined) return { text, root, value: undefined, errors: atLeastOne(errors) };
    const twice = repeatedNames(root);
    return { text, root, value: twice.length > 0 ? undefined : JSON.parse(text), errors: twice };
  } catch (error) {
    // The library and JSON.parse call themselves for each level of nesting.
    const message = error instanceof RangeError ? words.model.tooDeep : String(error);
    return { text, root: undefined, value: undefined, errors: [{ from: 0, to: text.length, message }] };
  }
}

function atLeastOne(errors: readonly TextError[]): readonly TextError[] {
  return errors.length > 0 ? errors : [{ from: 0, to: 0, message: words.messageMappings.empty }];
}

/** Names that stand there before: the runtime refuses them, and an edit would not know which one it is about. */
function repeatedNames(node: JsonNode): TextError[] {
  const children = node.children ?? [];
  const seen = new Set<string>();
  const own =
    node.type !== "object"
      ? []
      : children.flatMap(({ children: pair }) => {
          const key = pair?.[0];
          const name = String(key?.value);
          if (key === undefined || !seen.has(name)) {
            seen.add(name);
            return [];
          }
          return [{ from: key.offset, to: key.offset + key.length, message: words.model.twice }];
        });
  return [...own, ...children.flatMap(repeatedNames)];
}

/** The value at a path; undefined: there is none. */
export function nodeAt({ root }: Pick<JsonText, "root">, path: Path): JsonNode | undefined {
  let node = root;
  for (const key of path) {
    if (node?.type === "array") node = node.children?.[Number(key)];
    else if (node?.type === "object") node = memberOf(node, String(key))?.children?.[1];
    else return undefined;
  }
  return node;
}

/** The member of an object with this name: its children are the name and the value. */
export function memberOf(object: JsonNode, name: string): JsonNode | undefined {
  return object.children?.find(({ children }) => children?.[0]?.value === name);
}

export function rangeOf({ offset, length }: JsonNode): Range {
  return { from: offset, to: offset + length };
}

/** The text of the value at a path, with every digit of its numbers. */
export function sourceAt(json: JsonText, path: Path): string | undefined {
  const node = nodeAt(json, path);
  return node && json.text.slice(node.offset, node.offset + node.length);
}
