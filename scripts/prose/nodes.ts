/** Nodes of textlint's documents, for texts that it has no parser for. */
import type { TxtDocumentNode, TxtNode } from "@textlint/ast-node-types";

export type Span = readonly [from: number, to: number];

/** Makes the nodes of one text. */
export class Nodes {
  readonly #text: string;
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  document(children: readonly TxtNode[]): TxtDocumentNode {
    return this.parent("Document", [0, this.#text.length], children) as TxtDocumentNode;
  }

  parent(type: TxtNode["type"], range: Span, children: readonly TxtNode[]): TxtNode {
    return Object.assign(this.#node(type, range), { children });
  }

  leaf(type: TxtNode["type"], range: Span): TxtNode {
    return Object.assign(this.#node(type, range), { value: this.#text.slice(...range) });
  }

  #node(type: TxtNode["type"], range: Span): TxtNode {
    const loc = { start: this.#placeOf(range[0]), end: this.#placeOf(range[1]) };
    return { type, range, loc, raw: this.#text.slice(...range) };
  }

  #placeOf(offset: number): { line: number; column: number } {
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) };
  }
}
