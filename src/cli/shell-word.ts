/** Returns the text as a shell takes it for one word, for command lines that a person copies. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
