/** A YAML or JSON text with the places of its parts: the file that reads tests with the `yaml` library. */
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  visit,
} from "yaml";
import { narrow } from "../../shared/whole-numbers.ts";

/** Keys and indexes, from the root on. */
export type Path = readonly (string | number)[];

/** Counted from 1. */
export interface YamlPlace {
  readonly line: number;
  readonly column: number;
}

const mostAliases = 100;

export class YamlFile {
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
  /** The first syntax error, or the first unknown tag. */
  readonly problem: (YamlPlace & { readonly message: string }) | undefined;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    this.text = text;
    this.document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, intAsBigInt: true });
    visit(this.document, {
      Scalar: (_, node) => {
        if (typeof node.value === "bigint") node.value = narrow(node.value);
      },
    });
    const [error] = [...this.document.errors, ...this.document.warnings];
    if (error !== undefined) this.problem = { ...this.#place(error.pos[0]), message: error.message };
  }

  /** Returns plain values. Throws an Error for an alias without an anchor, and for too many aliases. */
  value(): unknown {
    return this.document.toJS({ maxAliasCount: mostAliases });
  }

  /** Returns the place of the key or the item; if it does not exist, that of its nearest ancestor. */
  place(path: Path): YamlPlace {
    let at = 0;
    let node: unknown = this.document.contents;
    for (const part of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(part));
        if (pair === undefined) break;
        at = offsetOf(pair.key) ?? at;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(part)];
        at = offsetOf(node) ?? at;
      } else break;
    }
    return this.#place(at);
  }

  #place(offset: number): YamlPlace {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
