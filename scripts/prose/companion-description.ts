/** The description in a flow's companion file: docs/examples.md and the designer show it. */
import type { TxtDocumentNode } from "@textlint/ast-node-types";
import { isScalar, parseDocument } from "yaml";
import { Nodes } from "./nodes.ts";

export function parseCompanion(text: string): TxtDocumentNode {
  const nodes = new Nodes(text);
  const description = parseDocument(text).get("description", true);
  const [from, to] = (isScalar(description) && description.range) || [0, 0];
  const lines = [...text.slice(from, to).matchAll(/^(?![|>]).+$/gm)];
  return nodes.document(
    lines.map(({ index, 0: line }) => {
      const range = [from + index, from + index + line.length] as const;
      return nodes.parent("Paragraph", range, [nodes.leaf("Str", range)]);
    }),
  );
}
