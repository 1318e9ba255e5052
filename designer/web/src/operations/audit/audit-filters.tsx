/** The filters of the audit log; they stand in the address. */
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { words } from "../../words.ts";
import { showPart } from "../show-part.ts";
import { type AuditFilter, actions, actionTexts, outcomes, type spans } from "./audit-filter.ts";

const { audit: texts } = words.operations;

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onRefresh: () => void;
}

export function AuditFilters({ filter, onRefresh }: AuditFiltersProps) {
  const [resource, setResource] = useState(filter.resource);
  const choose = (change: Partial<AuditFilter>): void => showPart("audit", { ...filter, resource, ...change });
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          choose({});
        }}
      >
        <input
          type="search"
          className="input"
          aria-label={texts.resource}
          placeholder={texts.resource}
          value={resource}
          onChange={(event) => setResource(event.target.value)}
          onBlur={() => {
            if (resource !== filter.resource) choose({});
          }}
        />
        <Choice
          label={texts.action}
          all={texts.allActions}
          options={actions.map((one) => [one, actionTexts[one]])}
          value={filter.action}
          onChoose={(action) => choose({ action })}
        />
        <Choice
          label={texts.outcome}
          all={texts.allOutcomes}
          options={outcomes.map((one) => [one, texts.outcomes[one]])}
          value={filter.outcome}
          onChoose={(outcome) => choose({ outcome })}
        />
        <Choice
          label={texts.span}
          all={texts.allTime}
          options={(["hour", "day", "week"] satisfies (keyof typeof spans)[]).map((one) => [one, texts.spans[one]])}
          value={filter.span}
          onChoose={(span) => choose({ span })}
        />
        <Button onClick={onRefresh}>{texts.refresh}</Button>
      </form>
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, all, options, value, onChoose }: ChoiceProps) {
  return (
    <select className="input" aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{all}</option>
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}
