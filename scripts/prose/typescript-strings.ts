/** The strings of a TypeScript file that people read, as paragraphs of a textlint document. Comments are left out. */
import type { TxtDocumentNode, TxtNode } from "@textlint/ast-node-types";
import { ts } from "@ts-morph/common";
import { Nodes, type Span } from "./nodes.ts";

/** Parts of a string that are not words: code, a line break, and the backslash of any other escape. */
const parts = /(?<code>\\?`(?:[^`\\]|\\[^`])*\\?`)|(?<line>\\[nrt]|\n)|\\/g;
const statement = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|BEGIN|ANALYZE)\b/;
/** A line of JavaScript, jq or a shell's script. */
const codeLine = /[;{}]\s*\n/;
const threeWords = /[a-z]+[^a-z]+[a-z]+[^a-z]+[a-z]+/i;
const functionWord =
  /\b(?:an?|the|is|are|was|has|have|of|to|in|it|its|no|not|by|for|from|with|without|and|or|at|as|on|that|this|be|can|cannot|may|must|if|when)\b/i;

export function parseStrings(text: string, path: string): TxtDocumentNode {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const nodes = new Nodes(text);
  const paragraphs: TxtNode[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isImportDeclaration(part) || ts.isExportDeclaration(part) || ts.isLiteralTypeNode(part)) return;
    const texts = textsOf(part, file);
    if (texts.length > 0 && isProse(texts.map((span) => text.slice(...span)).join("x")))
      paragraphs.push(paragraph(nodes, text, texts));
    ts.forEachChild(part, visit);
  };
  visit(file);
  return nodes.document(paragraphs);
}

/** The text of a string; of a template what lies between its expressions. */
function textsOf(part: ts.Node, file: ts.SourceFile): Span[] {
  if (ts.isStringLiteral(part) || ts.isNoSubstitutionTemplateLiteral(part))
    return [[part.getStart(file) + 1, part.end - 1]];
  if (ts.isJsxText(part)) return [[part.pos, part.end]];
  if (!ts.isTemplateExpression(part)) return [];
  const spans = part.templateSpans.map(({ literal }): Span => {
    const closing = ts.isTemplateTail(literal) ? "`" : "${";
    return [literal.getStart(file) + 1, literal.end - closing.length];
  });
  return [[part.head.getStart(file) + 1, part.head.end - "${".length], ...spans];
}

function isProse(words: string): boolean {
  return threeWords.test(words) && functionWord.test(words) && !statement.test(words) && !codeLine.test(words);
}

/** Expressions of a template become code: a word that no rule reads. */
function paragraph(nodes: Nodes, text: string, texts: readonly Span[]): TxtNode {
  const children: TxtNode[] = [];
  const add = (type: "Str" | "Code" | "Break", from: number, to: number): void => {
    if (from < to) children.push(nodes.leaf(type, [from, to]));
  };
  let from = texts[0]?.[0] ?? 0;
  const start = from;
  for (const [begin, end] of texts) {
    add("Code", from, begin);
    from = begin;
    for (const { 0: found, index, groups } of text.slice(begin, end).matchAll(parts)) {
      const at = begin + index;
      add("Str", from, at);
      from = at + found.length;
      if (groups?.["code"] !== undefined) add("Code", at, from);
      else if (groups?.["line"] !== undefined) add("Break", at, from);
    }
    add("Str", from, end);
    from = end;
  }
  return nodes.parent("Paragraph", [start, from], children);
}
