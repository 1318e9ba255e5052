/** Imports in the order in which the formatter has them. */

const statement = /^import [^;]*? from "([^"]+)";\n/gm;

/** Sorts the imports at the beginning of a module. */
export function sortedImports(text: string): string {
  const found = [...text.matchAll(statement)];
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return text;
  const sorted = found.toSorted(([, a = ""], [, b = ""]) => comparePaths(a, b)).map(([all]) => all);
  return text.slice(0, first.index) + sorted.join("") + text.slice(last.index + last[0].length);
}

/** Inserts `import { name } from "path";` where it belongs. Returns undefined for a text without imports. */
export function withImport(text: string, name: string, path: string): string | undefined {
  const found = [...text.matchAll(statement)];
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const behind = found.find(([, other = ""]) => comparePaths(other, path) > 0);
  const at = behind?.index ?? last.index + last[0].length;
  return `${text.slice(0, at)}import { ${name} } from "${path}";\n${text.slice(at)}`;
}

/** Modules of Node come first, then packages. Paths are compared without their endings, and a number in them by its value. */
export function comparePaths(a: string, b: string): number {
  const rank = (path: string): number => (path.startsWith(".") ? 2 : path.includes(":") ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  const [own, others] = [a, b].map((path) => path.replace(/\.ts$/, "").split(/(\d+)/)) as [string[], string[]];
  for (const [at, part] of own.entries()) {
    const other = others[at];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (at % 2 === 1 && Number(part) !== Number(other)) return Number(part) - Number(other);
    return part < other ? -1 : 1;
  }
  return own.length - others.length;
}
