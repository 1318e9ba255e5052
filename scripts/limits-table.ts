/** The table of limits in docs/operating.md; a test compares the two. */
import { defaultCeiling, type LimitName, limitNames, limitTable, limitVariable } from "../src/shared/limits.ts";

export const operatingPage = new URL("../docs/operating.md", import.meta.url);

const begin = "<!-- limits: written by `npm run docs` -->\n";
const end = "<!-- end of limits -->\n";

/** The page with its table made anew. */
export function withLimitsTable(page: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error("docs/operating.md has lost the marks around its table of limits");
  return page.slice(0, from + begin.length) + table() + page.slice(to);
}

function table(): string {
  const head = "| limit | variable | default | a flow may set up to | what it bounds |\n|---|---|---|---|---|\n";
  return head + limitNames.map((name) => `${row(name)}\n`).join("");
}

function row(name: LimitName): string {
  const ceiling = defaultCeiling(name);
  const cells = [
    `\`${name}\``,
    `\`${limitVariable(name)}\``,
    amount(name, limitTable[name].default),
    ceiling === undefined ? "" : amount(name, ceiling),
    limitTable[name].docs,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The number as a variable takes it, and as people read it. */
function amount(name: LimitName, value: number): string {
  const { unit } = limitTable[name];
  if (unit === "bytes" && value >= 1024) {
    const mega = value / 1024 / 1024;
    return `${value} (${mega >= 1 ? `${mega} MiB` : `${value / 1024} KiB`})`;
  }
  if (unit === "ms") return value < 60_000 ? `${value} ms` : `${value} ms (${value / 60_000} min)`;
  return String(value);
}
