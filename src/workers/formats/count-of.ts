/** Measures a text before a library parses it. */

/** Counts these ASCII characters in the text. */
export function countOf(text: string, characters: string): number {
  const wanted = new Uint8Array(128);
  for (const character of characters) wanted[character.charCodeAt(0)] = 1;
  let count = 0;
  for (let at = 0; at < text.length; at++) if (wanted[text.charCodeAt(at)] === 1) count++;
  return count;
}
