/** Moves lines to the right or to the left. */

/** Empty lines stay empty; a line that has fewer spaces than are to be taken away begins at column 0. */
export function shifted(lines: readonly string[], by: number): string[] {
  if (by >= 0) return lines.map((line) => (line === "" ? "" : " ".repeat(by) + line));
  return lines.map((line) => line.slice(Math.min(-by, line.search(/[^ ]|$/))));
}
