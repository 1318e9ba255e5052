/** Generated keys where a statement can return rows: as PostgreSQL's JDBC driver does, they are what it returns. */

/** Adds the clause, in a line of its own, since a comment may end the text; unless the text has one, or is no statement that changes rows. `keys`: the columns; true: all. */
export function returning(text: string, keys: true | readonly string[]): string {
  if (!/^\s*(?:insert|replace|update|delete|merge|with)\b/i.test(text) || /\breturning\b/i.test(text)) return text;
  const names = keys === true ? "*" : keys.map((name) => `"${name.replaceAll('"', '""')}"`).join(", ");
  return `${text.trim().replace(/;$/, "")}\nreturning ${names}`;
}
