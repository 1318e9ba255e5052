/** The rules of pairs of columns for values that are not mapped. */
import { Button, IconButton } from "../ui/button.tsx";
import { words } from "../words.ts";
import { type Fields, type MappingDocument, own } from "./document.ts";
import { ColumnChoice, ScalarInput, scalarOf } from "./option-inputs.tsx";
import { changed, entriesOf, missingModes, setEntries } from "./options.ts";

interface LookupRulesProps {
  readonly document: MappingDocument;
  readonly onChange: (change: (before: MappingDocument) => MappingDocument) => void;
}

export function LookupRules({ document, onChange }: LookupRulesProps) {
  const { option } = words.valueMappings;
  const rules = entriesOf(document, "lookups");
  const names = document.sheet.columns.filter(({ kind }) => kind === "values").map(({ name }) => name);
  if (rules === undefined) return null;
  const set = (entries: readonly Fields[]): void => onChange((before) => setEntries(before, "lookups", entries));
  const change = (at: number, fields: Fields): void =>
    set(rules.map((rule, index) => (index === at ? changed(rule, fields) : rule)));
  return (
    <>
      <h3>{option.lookups}</h3>
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place in the list
        <div key={at} className="mapping-rule">
          <ColumnChoice
            label={option.from(at + 1)}
            names={names}
            value={own(rule, "from")}
            onChange={(from) => change(at, { from })}
          />
          <ColumnChoice
            label={option.to(at + 1)}
            names={names}
            value={own(rule, "to")}
            onChange={(to) => change(at, { to })}
          />
          <select
            className="input"
            aria-label={option.missingOf(at + 1)}
            value={String(own(rule, "onMissing") ?? "")}
            onChange={(event) => change(at, { onMissing: event.target.value === "" ? undefined : event.target.value })}
          >
            <option value="">{words.valueMappings.asDocument}</option>
            {missingModes.map((mode) => (
              <option key={mode} value={mode}>
                {words.valueMappings.missingModes[mode]}
              </option>
            ))}
          </select>
          <ScalarInput
            aria-label={option.defaultOf(at + 1)}
            value={scalarOf(own(rule, "default"))}
            onChange={(value) => change(at, { default: value })}
          />
          <IconButton icon="trash" label={option.removeRule(at + 1)} onClick={() => set(rules.toSpliced(at, 1))} />
        </div>
      ))}
      <Button
        icon="plus"
        disabled={names.length < 2}
        onClick={() => set([...rules, { from: names[0], to: names[1], onMissing: "error" }])}
      >
        {option.addRule}
      </Button>
    </>
  );
}
