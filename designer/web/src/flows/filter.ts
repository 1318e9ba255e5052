/** Which of the flows a list shows. */
import type { FlowRow } from "./rows.ts";
import type { FlowState } from "./state.ts";

export interface Filter {
  readonly text: string;
  /** "": all. */
  readonly category: string;
  /** "": all; `runtime`: those on the runtime only. */
  readonly state: FlowState | "runtime" | "";
}

export const noFilter: Filter = { text: "", category: "", state: "" };

/** Every word of the text is in the name, the id, the category or a route's id. */
export function filtered(rows: readonly FlowRow[], { text, category, state }: Filter): readonly FlowRow[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return rows.filter((row) => {
    if (category !== "" && row.category !== category) return false;
    if (state !== "" && (row.state ?? "runtime") !== state) return false;
    const routes = row.running?.routes.map(({ id }) => id) ?? [];
    const where = [row.name, row.id, row.category, ...routes].join("\n").toLowerCase();
    return wanted.every((word) => where.includes(word));
  });
}

export function categoriesOf(flows: readonly { readonly category: string | null }[]): readonly string[] {
  const categories = flows.flatMap(({ category }) => (category === null || category === "" ? [] : [category]));
  return [...new Set(categories)].sort();
}
