/** Values as YAML or JSON text. */
import { Document, isCollection, type Node, type Scalar, visit } from "yaml";

/** On one line; JSON from `indent` 1 on over several, as far to the right. `quotes`: of a text that is written with others. */
export function flowText(value: unknown, json: boolean, indent = 0, quotes?: Scalar.Type): string {
  if (json) return indented(JSON.stringify(value, null, indent > 0 ? 2 : 0), indent);
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
  // YAML takes JSON, too: what would be written over several lines.
  return text.includes("\n") ? JSON.stringify(value) : text.slice(1, -1).trim();
}

/**
 * Over several lines, without the last line's end; `column`: of what it is in, whose first line is there already.
 * `behindKey`: `column` is that of a key, and what stands behind its colon is answered.
 */
export function blockText(value: unknown, column: number, behindKey = false): string {
  if (!behindKey) return indented(printed(value), column);
  return indented(printed({ k: value }).slice("k:".length), column);
}

function printed(value: unknown): string {
  const document = new Document(value);
  visit(document, { Collection: (_, node) => void emptyInFlow(node) });
  return document.toString({ lineWidth: 0 }).replace(/\n$/, "");
}

function emptyInFlow(node: Node): void {
  if (isCollection(node) && node.items.length === 0) node.flow = true;
}

function indented(text: string, indent: number): string {
  return text.replaceAll(/\n(?!\n|$)/g, `\n${" ".repeat(indent)}`);
}
