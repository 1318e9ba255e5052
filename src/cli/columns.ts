/** How many columns of a terminal a text takes: wide characters take two, marks above others none. */

const graphemes = new Intl.Segmenter();
const ascii = /^[ -~]*$/;
const none = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
/** Scripts of East Asia, their full-width forms, and emoji. Half-width forms of U+FF61 to U+FFDC are narrow. */
const wide =
  /^(?![\uff61-\uffdc])(?:[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|.\ufe0f)/u;

export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

/** Returns the text in exactly so many columns: cut, with an ellipsis at its end, or filled with spaces. */
export function fitted(text: string, columns: number, right = false): string {
  const cut = columnsOf(text) > columns ? `${beginningOf(text, columns - 1)}…` : text;
  const space = " ".repeat(Math.max(0, columns - columnsOf(cut)));
  return right ? space + cut : cut + space;
}

/** Returns as much of the text as has room in the columns; no character is cut in two. */
export function beginningOf(text: string, columns: number): string {
  let taken = "";
  let room = columns;
  for (const { segment } of graphemes.segment(text)) {
    room -= columnsOfGrapheme(segment);
    if (room < 0) break;
    taken += segment;
  }
  return taken;
}

/** Returns the words on lines of so many columns; a longer word has a line of its own. */
export function wrapped(text: string, columns: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && columnsOf(last) + 1 + columnsOf(word) > columns) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.join("\n");
}

function columnsOfGrapheme(grapheme: string): number {
  if (none.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}
