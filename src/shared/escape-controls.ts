/**
 * Escapes what steers a terminal or ends a line where texts of others are shown: the control characters C0 (not tabs and line
 * feeds), DEL and C1, the line ends of Unicode, and the marks that turn the direction of writing around. In a JSON text the
 * escapes stand for the same characters.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
