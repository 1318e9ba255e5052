/** Search and filters above the list of flows. */
import { words } from "../words.ts";
import { categoriesOf, type Filter } from "./filter.ts";
import type { FlowRow } from "./rows.ts";
import { flowStates } from "./state.ts";

interface FlowFiltersProps {
  readonly rows: readonly FlowRow[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** How many flows pass. */
  readonly shown: number;
}

const searchId = "flow-search";

export function focusSearch(): void {
  document.getElementById(searchId)?.focus();
}

export function FlowFilters({ rows, filter, onFilter, shown }: FlowFiltersProps) {
  const runtimeOnly = rows.filter(({ entry }) => entry === undefined).length;
  return (
    <search className="list-filters">
      <input
        id={searchId}
        type="search"
        className="input"
        aria-label={words.flows.search}
        placeholder={words.flows.search}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
      <select
        className="input"
        aria-label={words.flows.columns.category}
        value={filter.category}
        onChange={(event) => onFilter({ ...filter, category: event.target.value })}
      >
        <option value="">{words.flows.allCategories}</option>
        {categoriesOf(rows).map((category) => (
          <option key={category}>{category}</option>
        ))}
      </select>
      <select
        className="input"
        aria-label={words.flows.columns.state}
        value={filter.state}
        onChange={(event) => onFilter({ ...filter, state: event.target.value as Filter["state"] })}
      >
        <option value="">{words.flows.allStates}</option>
        {flowStates.map((state) => (
          <option key={state} value={state}>
            {words.flows.states[state]}
          </option>
        ))}
        {runtimeOnly > 0 && <option value="runtime">{words.flows.runtimeOnly}</option>}
      </select>
      <span className="faint" role="status">
        {words.flows.count(shown, rows.length)}
      </span>
    </search>
  );
}
