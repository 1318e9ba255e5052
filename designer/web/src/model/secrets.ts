/** Finds the secrets that the text of a flow names. */
import { isScalar, visit } from "yaml";
import type { FlowText, Range } from "./types.ts";

export interface NamedSecret extends Range {
  readonly name: string;
}

const written = /\{\{\s*secret:([^{}:?\s]+)\s*\}\}/g;

/** Names in a value of an option, each once. */
export function secretsInText(text: string): readonly string[] {
  return [...new Set([...text.matchAll(written)].map(([, name = ""]) => name))];
}

/** In the order of the text; those in comments are none. */
export function secretsOf({ text, documents }: FlowText): readonly NamedSecret[] {
  const found: NamedSecret[] = [];
  for (const document of documents)
    visit(document, {
      Scalar(_, node) {
        const [from = 0, to = 0] = isScalar(node) ? (node.range ?? []) : [];
        for (const match of text.slice(from, to).matchAll(written)) {
          const at = from + match.index;
          found.push({ name: match[1] ?? "", from: at, to: at + match[0].length });
        }
      },
    });
  return found;
}
