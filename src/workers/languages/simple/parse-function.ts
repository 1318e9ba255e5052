/** Parses functions, and quoted texts that contain functions. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { decodeEscapes, functionEnd, functionStart, isSpace } from "./scan.ts";
import { type FunctionNode, maxDepth, type Node, type TemplateNode } from "./tree.ts";

/** A text that is being parsed. `base`: its position in the whole expression; `bare`: it is inside `${...}`. */
export interface Source {
  readonly text: string;
  readonly base: number;
  readonly bare: boolean;
  readonly depth: number;
}

/** The parsed node, and the position after it. */
export type Read<T = Node> = readonly [node: T, end: number];

export function sourceOf(text: string, base: number, bare = false): Source {
  return { text, base, bare, depth: 0 };
}

/** Returns the same text at the next nesting depth of operators. */
export function goDeeper(source: Source, at: number): Source {
  if (source.depth === maxDepth) {
    throw new ExpressionSyntaxError(`operators nest at most ${maxDepth} deep`, source.base + at);
  }
  return { ...source, depth: source.depth + 1 };
}

/** Reads literal text, and each `${` with `read`. */
export function readPieces(source: Source, read: (source: Source, at: number) => Read): TemplateNode {
  const { text, base } = source;
  const pieces: (string | Node)[] = [];
  let literal = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    // Skips `\}`, `\n` and the like. Before other characters a backslash is literal.
    if (code === 92 && /[ntr}]/.test(text[at + 1] ?? "")) at += 2;
    else if (functionStart(text, at) === 0) at += 1;
    else {
      if (at > literal) pieces.push(decodeEscapes(text.slice(literal, at)));
      const [node, end] = read(source, at);
      pieces.push(node);
      at = literal = end;
    }
  }
  if (literal < text.length) pieces.push(decodeEscapes(text.slice(literal)));
  return { kind: "template", pieces, index: base };
}

/** Parses the content of a quoted text, in which functions are evaluated and operators are literal. */
export function parseQuoted(text: string, base: number): TemplateNode {
  return readPieces(sourceOf(text, base), readFunction);
}

/** Reads `${...}` with an optional `++` or `--`, which a space or the end must follow. */
export function readUnary(source: Source, at: number): Read {
  const [node, end] = readFunction(source, at);
  const { text, base } = source;
  const sign = text.slice(end, end + 2);
  const ends = end + 2 >= text.length || isSpace(text.charCodeAt(end + 2));
  if (!ends || (sign !== "++" && sign !== "--")) return [node, end];
  return [{ kind: "unary", operand: node, add: sign === "++" ? 1 : -1, index: base + end }, end + 2];
}

function readFunction({ text, base }: Source, at: number): Read<FunctionNode> {
  const from = at + functionStart(text, at);
  const end = functionEnd(text, from, base);
  return [{ kind: "function", text: text.slice(from, end), index: base + from }, end + 1];
}
