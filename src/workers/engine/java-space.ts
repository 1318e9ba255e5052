/** White space as Java's String and Character have it, which differs from that of JavaScript. */

/** What Character.isWhitespace accepts: no space that forbids a line break, and the separators of ASCII (U+001C to U+001F). */
const space = "\\t-\\r\\x1c-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000";
const leading = new RegExp(`^[${space}]+`);
const only = new RegExp(`^[${space}]*$`);
const several = new RegExp(`([${space}])[${space}]+`, "g");

/** As String.trim: control characters and the blank, and nothing else. */
export function trim(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--;
  return text.slice(from, to);
}

/** As String.isBlank. */
export function isBlank(text: string): boolean {
  return only.test(text);
}

/** As String.stripLeading. */
export function stripLeading(text: string): string {
  return text.replace(leading, "");
}

/** As String.stripTrailing. */
export function stripTrailing(text: string): string {
  let to = text.length;
  while (to > 0 && isBlank(text.charAt(to - 1))) to--;
  return text.slice(0, to);
}

/** As StringHelper.normalizeWhitespace: the first character of each run of white space stays, if two blanks stand together anywhere. */
export function normalizeWhitespace(text: string): string {
  if (isBlank(text)) return "";
  return trim(text.includes("  ") ? text.replace(several, "$1") : text);
}
