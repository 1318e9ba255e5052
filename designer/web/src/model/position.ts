/** Places in a text: offsets, lines and columns, steps. */
import { allSteps } from "./ids.ts";
import { lineEnd, lineStart } from "./lines.ts";
import { toCamelCase } from "./names.ts";
import type { FlowTree, StepNode } from "./nodes.ts";
import type { FlowText, Path, Range } from "./types.ts";

/** From 1, as the runtime and editors count; the mark that a file may begin with has no column. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export function lineColumnAt(text: string, offset: number): LineColumn {
  const at = Math.max(0, Math.min(offset, text.length));
  let line = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) line += 1;
  return { line, column: Math.max(0, at - lineStart(text, at)) + 1 };
}

/** Returns the offset of a line and a column; a column behind the end of its line is the end. */
export function offsetAt(text: string, { line, column }: LineColumn): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const first = lineStart(text, start);
  return Math.min(lineEnd(text, first), first + Math.max(0, column - 1));
}

/** Returns the innermost step whose lines an offset is in; undefined outside of steps. */
export function stepAt({ text }: FlowText, tree: FlowTree, offset: number): StepNode | undefined {
  return allSteps(tree).findLast(
    ({ range }) => lineStart(text, range.from) <= offset && offset <= lineEnd(text, range.to),
  );
}

/** A problem as the runtime's validation describes it. */
export interface Diagnostic {
  readonly pointer?: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
}

export function diagnosticRange(text: string, { line, column, endLine, endColumn }: Diagnostic): Range {
  const from = offsetAt(text, { line, column });
  const to =
    endLine === undefined || endColumn === undefined ? from : offsetAt(text, { line: endLine, column: endColumn });
  return { from, to: Math.max(from, to) };
}

/** Returns the step that a problem is at, by its pointer, else by its line; undefined for a problem of no step. */
export function stepOfDiagnostic(flow: FlowText, tree: FlowTree, diagnostic: Diagnostic): StepNode | undefined {
  const keys = pathOfPointer(diagnostic.pointer ?? "");
  const pointed = allSteps(tree).findLast(({ itemPath }) => itemPath.length > 0 && begins(keys, itemPath));
  return pointed ?? stepAt(flow, tree, offsetAt(flow.text, diagnostic));
}

/** `/0/route/from` -> ["0", "route", "from"] */
export function pathOfPointer(pointer: string): Path {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function begins(path: Path, prefix: Path): boolean {
  return (
    prefix.length <= path.length &&
    prefix.every((key, index) => toCamelCase(String(path[index])) === toCamelCase(String(key)))
  );
}
