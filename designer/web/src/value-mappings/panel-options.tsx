/** Everything that the document says beside its rows. */
import { stringify } from "../../../../src/client/json.ts";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { type MappingDocument, own } from "./document.ts";
import { LookupRules } from "./lookup-rules.tsx";
import { Check, Choice, ScalarOption, TextOption, textOf } from "./option-inputs.tsx";
import { columnFacts, matchOf, otherFields, setColumnFact, setField, setMatch, setOneWay } from "./options.ts";
import type { PanelProps } from "./panels.ts";
import { isOneWay } from "./write-document.ts";

export function OptionsPanel({ session, isEditable }: PanelProps) {
  const { draft } = useStore(session);
  if (draft.kind === "text") return <p className="mapping-panel faint">{words.valueMappings.onlyJson}</p>;
  const { document } = draft;
  const { fields, content, sheet } = document;
  const edit = (label: string, change: (before: MappingDocument) => MappingDocument): void =>
    session.edit(words.valueMappings.did.option(label), change, `option ${label}`);
  const set = (name: string, label: string, value: unknown): void =>
    edit(label, (before) => setField(before, name, value));
  const { option } = words.valueMappings;
  const values = sheet.columns.filter(({ kind }) => kind === "values");
  return (
    <fieldset className="mapping-panel" disabled={!isEditable}>
      <legend className="hidden">{words.valueMappings.panels.options}</legend>
      <TextOption
        label={option.name}
        value={own(fields, "name")}
        onChange={(value) => set("name", option.name, value)}
      />
      <TextOption
        label={option.description}
        value={own(fields, "description")}
        onChange={(value) => set("description", option.description, value)}
      />
      <Check
        label={option.caseSensitive}
        checked={matchOf(document, "caseSensitive")}
        onChange={(checked) =>
          edit(option.caseSensitive, (before) => setMatch(before, "caseSensitive", checked ? undefined : false))
        }
      />
      <Check
        label={option.trim}
        checked={matchOf(document, "trim")}
        onChange={(checked) => edit(option.trim, (before) => setMatch(before, "trim", checked ? true : undefined))}
      />
      <Check
        label={option.typed}
        checked={own(fields, "typed") === true}
        onChange={(checked) => set("typed", option.typed, checked ? true : undefined)}
      />
      <Check
        label={option.bidirectional(values[0]?.name ?? "")}
        checked={!isOneWay(fields, content)}
        onChange={(checked) => edit(option.direction, (before) => setOneWay(before, !checked))}
      />
      <Check
        label={option.shared}
        checked={own(fields, "shared") === true}
        onChange={(checked) => set("shared", option.shared, checked ? true : undefined)}
      />
      <Choice
        label={option.onAmbiguous}
        value={own(fields, "onAmbiguous")}
        choices={words.valueMappings.ambiguousModes}
        unset={words.valueMappings.ambiguousModes.error}
        onChange={(value) => set("onAmbiguous", option.onAmbiguous, value)}
      />
      <Choice
        label={option.onMissing}
        value={own(fields, "onMissing")}
        choices={words.valueMappings.missingModes}
        unset={
          own(fields, "default") === undefined
            ? words.valueMappings.missingModes.error
            : words.valueMappings.missingModes.default
        }
        onChange={(value) => set("onMissing", option.onMissing, value)}
      />
      <ScalarOption
        label={option.default}
        value={own(fields, "default")}
        onChange={(value) => set("default", option.default, value)}
      />
      <LookupRules document={document} onChange={(change) => edit(option.lookups, change)} />
      <h3>{option.columns}</h3>
      <table className="mapping-facts">
        <thead>
          <tr>
            <th scope="col">{words.valueMappings.columnName}</th>
            {(["agency", "scheme", "description"] as const).map((name) => (
              <th key={name} scope="col">
                {option.facts[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {values.map((column) => (
            <tr key={column.name}>
              <th scope="row">{column.name}</th>
              {(["agency", "scheme", "description"] as const).map((name) => (
                <td key={name}>
                  <input
                    className="input"
                    aria-label={words.valueMappings.factOf(option.facts[name], column.name)}
                    value={textOf(own(columnFacts(document, column), name))}
                    onChange={(event) => {
                      const { value } = event.target;
                      edit(option.columns, (before) =>
                        setColumnFact(before, column, name, value === "" ? undefined : value),
                      );
                    }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Others document={document} />
    </fieldset>
  );
}

/** Options that have no form: they stay, and are changed as JSON. */
function Others({ document }: { readonly document: MappingDocument }) {
  const others = Object.entries(otherFields(document));
  if (others.length === 0) return null;
  return (
    <>
      <h3>{words.valueMappings.option.others}</h3>
      <dl className="mapping-others">
        {others.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{stringify(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p className="faint">{words.valueMappings.othersText}</p>
    </>
  );
}
