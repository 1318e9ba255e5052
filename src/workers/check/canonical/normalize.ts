/** Rewrites a flow's text to the canonical spelling: comments, anchors, order, quotes and line ends stay as they are. */
import type { NormalizeResult, ShorthandPlace } from "../../../shared/canonical.ts";
import type { Catalog } from "../../catalog.ts";
import { Definitions } from "../context.ts";
import { parseYaml } from "../parse.ts";
import { Report } from "../report.ts";
import { findShorthands, type Shorthand } from "./shorthands.ts";
import { type SourceNode, type SourcePair, sourceTrees } from "./source-tree.ts";

const mark = "\ufeff";

/** Returns the canonical text with the places that are written in a short form; or why the text cannot be read. */
export function normalize(yaml: string, catalog: Catalog): NormalizeResult {
  const report = new Report();
  parseYaml(yaml, report);
  const fault = report.diagnostics().find(({ severity }) => severity === "error");
  if (fault !== undefined)
    return { problem: { line: fault.line ?? 1, column: fault.column ?? 1, message: fault.message } };
  const start = yaml.startsWith(mark) ? mark : "";
  const text = yaml.slice(start.length);
  const roots = sourceTrees(text);
  const definitions = new Definitions(catalog);
  const found = new Map(roots.flatMap((root) => [...findShorthands(root, definitions)]));
  if (found.size === 0) return { text: yaml, places: [] };
  const rewritten = new Rewriter(text, found).text(roots);
  return { text: start + rewritten, places: placesOf(text, found) };
}

function placesOf(text: string, found: ReadonlyMap<SourcePair, Shorthand>): readonly ShorthandPlace[] {
  return [...found]
    .map(([pair, { inside, around }]) => {
      const before = text.slice(0, pair.start);
      const line = before.split("\n").length;
      const column = pair.start - before.lastIndexOf("\n");
      const endColumn = column + pair.colon - pair.start;
      const short = inside === undefined ? `${pair.key}: ...` : `${pair.key}: text`;
      const inner = inside === undefined ? short : `${pair.key}: { ${inside}: text }`;
      const long = around === undefined ? inner : `${around}: { ${inner} }`;
      const message = `'${short}' is short for '${long}', which Camel 4.23 asks for: bulkhead normalize rewrites it`;
      return { line, column, endColumn, message };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

class Rewriter {
  readonly #text: string;
  readonly #found: ReadonlyMap<SourcePair, Shorthand>;
  readonly #lineEnd: string;

  constructor(text: string, found: ReadonlyMap<SourcePair, Shorthand>) {
    this.#text = text;
    this.#found = found;
    this.#lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  }

  text(roots: readonly SourceNode[]): string {
    return this.#part(0, this.#text.length, roots);
  }

  /** Returns a part of the text with the pairs of these nodes rewritten. */
  #part(from: number, to: number, nodes: readonly SourceNode[]): string {
    let text = "";
    let at = from;
    for (const pair of pairsOf(nodes)) {
      text += this.#text.slice(at, pair.start) + this.#pair(pair);
      at = pair.end;
    }
    return text + this.#text.slice(at, to);
  }

  #pair(pair: SourcePair): string {
    const { inside, around } = this.#found.get(pair) ?? {};
    const key = this.#text.slice(pair.start, pair.colon);
    const value = this.#part(pair.colon, pair.end, [pair.value]);
    const own = inside === undefined ? key + value : this.#below(pair, key, inside, value);
    return around === undefined ? own : this.#below(pair, `${this.#name(pair, around)}:`, undefined, own);
  }

  /** Puts text below a key: the value, behind a key of its own, or a whole pair. */
  #below(pair: SourcePair, key: string, inner: string | undefined, text: string): string {
    const written = inner === undefined ? text : `${this.#name(pair, inner)}:${text}`;
    if (pair.flow) return `${key} { ${written} }`;
    const indent = " ".repeat(this.#columnOf(pair.start) + 2);
    return `${key}${this.#lineEnd}${indent}${written.replaceAll(/\n(?=[^\r\n])/g, "\n  ")}`;
  }

  #name({ quoted }: SourcePair, name: string): string {
    return quoted ? `"${name}"` : name;
  }

  #columnOf(offset: number): number {
    return offset - (this.#text.lastIndexOf("\n", offset - 1) + 1);
  }
}

/** Yields the outermost pairs of nodes, in the order of the text. */
function* pairsOf(nodes: readonly SourceNode[]): Generator<SourcePair> {
  for (const node of nodes) {
    if (node.kind === "map") yield* node.pairs;
    else if (node.kind === "seq") yield* pairsOf(node.items);
  }
}
