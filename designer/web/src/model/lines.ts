/** Lines of a text by offsets. */

const mark = "\ufeff";

/** Returns where the line of an offset begins; the mark that a file may begin with is not part of its first line. */
export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  return start === 0 && text.startsWith(mark) ? 1 : start;
}

/** Returns where the line of an offset ends, before its newline. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return at > offset && text[at - 1] === "\r" ? at - 1 : at;
}

/** Returns where the line behind that of an offset begins; the text's length when there is none. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Whether only white space stands before an offset in its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** Returns the column of the comment that is all of a line; undefined for another line. */
export function commentColumn(text: string, start: number): number | undefined {
  const found = /^[ \t]*#/.exec(text.slice(start, lineEnd(text, start)));
  return found === null ? undefined : found[0].length - 1;
}
