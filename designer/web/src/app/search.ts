/** Finds by what is typed: every word of the query somewhere in the text, better at the beginning of a word. */

/** Lower is better; undefined: it does not match. An empty query matches all alike. */
export function scoreOf(query: string, text: string): number | undefined {
  const where = text.toLowerCase();
  let score = 0;
  for (const word of query
    .toLowerCase()
    .split(/\s+/)
    .filter((one) => one !== "")) {
    const at = where.indexOf(word);
    if (at === -1) return undefined;
    const starts = at === 0 ? at : firstWordStart(where, word);
    score += starts === undefined ? 1000 + at : starts;
  }
  return score;
}

/** The matching ones, the best first. */
export function found<T>(query: string, all: readonly T[], textOf: (one: T) => string): readonly T[] {
  return all
    .map((one) => ({ one, score: scoreOf(query, textOf(one)) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0))
    .map(({ one }) => one);
}

function firstWordStart(text: string, word: string): number | undefined {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return at;
  return undefined;
}
