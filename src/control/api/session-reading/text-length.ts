/** The length of a text as JSON Schema counts it: in characters, of which one beyond U+FFFF is one. */

/** Looks at no more of the text than the answer needs. */
export function isUpTo(text: string, most: number): boolean {
  if (text.length <= most) return true;
  if (text.length > 2 * most) return false;
  return [...text].length <= most;
}
