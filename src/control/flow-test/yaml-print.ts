/** Prints values as YAML or JSON text. */
import { Document, isCollection, type Node, type Scalar, visit } from "yaml";

/**
 * Prints a value on one line; JSON with `indent` 1 or more over several lines, indented so far. `quotes`: the style of
 * a text that was quoted.
 */
export function flowText(value: unknown, json: boolean, indent = 0, quotes?: Scalar.Type): string {
  if (json) return indentLines(JSON.stringify(value, null, indent > 0 ? 2 : 0), indent);
  const document = new Document([value]);
  visit(document, {
    Collection: (_, node) => {
      node.flow = true;
    },
    Scalar: (_, node) => {
      if (typeof node.value === "string" && quotes !== undefined) node.type = quotes;
    },
  });
  const text = document.toString({ lineWidth: 0 }).trim();
  // YAML accepts JSON, too, in place of several lines.
  return text.includes("\n") ? JSON.stringify(value) : text.slice(1, -1).trim();
}

/**
 * Prints a value over several lines, without the last line's end; `column`: that of the parent, whose first line exists
 * already. `behindKey`: `column` is that of a key, and the text behind its colon is returned.
 */
export function blockText(value: unknown, column: number, behindKey = false): string {
  if (!behindKey) return indentLines(print(value), column);
  return indentLines(print({ k: value }).slice("k:".length), column);
}

function print(value: unknown): string {
  const document = new Document(value);
  visit(document, { Collection: (_, node) => void emptyInFlow(node) });
  return document.toString({ lineWidth: 0 }).replace(/\n$/, "");
}

function emptyInFlow(node: Node): void {
  if (isCollection(node) && node.items.length === 0) node.flow = true;
}

function indentLines(text: string, indent: number): string {
  return text.replaceAll(/\n(?!\n|$)/g, `\n${" ".repeat(indent)}`);
}
