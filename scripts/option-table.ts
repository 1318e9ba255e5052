/** Tables of options with their words, as the reference and the pages of connectors have them. */
import { optionRows } from "../src/cli/option-rows.ts";
import type { CatalogEntry } from "../src/shared/check.ts";

/**
 * A table of the options of an entry of the catalogue, without lines for one that has none. `takes`: which options it has. What is taken
 * with one value only is in docs/camel-compatibility.md, with the reason.
 */
export function optionTable(
  { schema }: Pick<CatalogEntry, "schema">,
  takes: (name: string) => boolean = () => true,
): string[] {
  const rows = optionRows(schema).filter(({ name }) => takes(name));
  if (rows.length === 0) return [];
  const told = rows.some(({ meaning }) => meaning !== "");
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const columns = ["option", "type", "required", "default", ...(told ? ["meaning"] : [])];
  const cells = rows.map((row) => [
    `\`${row.name}\``,
    row.type,
    row.required ? "yes" : "",
    row.default === undefined ? "" : `\`${row.default}\``,
    ...(told ? [row.meaning] : []),
  ]);
  return [line(columns), `|${"---|".repeat(columns.length)}`, ...cells.map(line), ""];
}
