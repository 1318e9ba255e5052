/** A lookup in a value mapping: the table and its columns are picked from those that the runtime has. */
import { valueMappings } from "../../api/cache.ts";
import { Field } from "../../ui/field.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { useMapper } from "../mapper.ts";
import { kindOf, type Lookup, lookupExpression } from "../model/expression-kinds.ts";
import { ExpressionInput } from "./expression-input.tsx";

interface LookupInputProps {
  readonly expression: string;
  readonly context: readonly string[] | undefined;
  readonly error: string | undefined;
  readonly onExpression: (expression: string) => void;
}

export function LookupInput({ expression, error, onExpression }: LookupInputProps) {
  const { session } = useMapper();
  const tables = useStore(valueMappings(session.target)).value ?? [];
  const found = kindOf(expression);
  const isWritten = found.kind === "lookup";
  // An expression that becomes a lookup is what is looked up.
  const value = found.kind === "copy" ? expression : "$";
  const lookup: Lookup = isWritten ? found.lookup : { mapping: "", from: "", to: "", value, qualifiers: undefined };
  const table = tables.find(({ id }) => id === lookup.mapping);
  const change = (part: Partial<Lookup>): void => onExpression(lookupExpression({ ...lookup, ...part }));
  return (
    <>
      <Choice
        label={words.messageMappings.table}
        value={lookup.mapping}
        options={tables.map(({ id, name }) => [id, name === "" ? id : `${name} (${id})`])}
        error={lookup.mapping !== "" && table === undefined ? words.messageMappings.noTable(lookup.mapping) : undefined}
        onChoose={(mapping) => {
          const [from = "", to = ""] = tables.find(({ id }) => id === mapping)?.columns ?? [];
          change({ mapping, from, to });
        }}
      />
      {isWritten && (
        <>
          <div className="rule-pair">
            <Choice
              label={words.messageMappings.from}
              value={lookup.from}
              options={(table?.columns ?? []).map((column) => [column, column])}
              onChoose={(from) => change({ from })}
            />
            <Choice
              label={words.messageMappings.to}
              value={lookup.to}
              options={(table?.columns ?? []).map((column) => [column, column])}
              onChoose={(to) => change({ to })}
            />
          </div>
          <ExpressionInput
            label={words.messageMappings.value}
            help={words.messageMappings.expressionHelp}
            error={error}
            value={lookup.value}
            onValue={(text) => change({ value: text })}
          />
          <ExpressionInput
            label={words.messageMappings.qualifiers}
            help={words.messageMappings.qualifiersHelp}
            value={lookup.qualifiers ?? ""}
            onValue={(text) => change({ qualifiers: text === "" ? undefined : text })}
          />
        </>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly error?: string | undefined;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, error, onChoose }: ChoiceProps) {
  const { isEditable } = useMapper();
  const isListed = options.some(([one]) => one === value);
  return (
    <Field label={label} error={error}>
      {(input) => (
        <select
          {...input}
          className="input"
          value={value}
          disabled={!isEditable}
          onChange={(event) => onChoose(event.target.value)}
        >
          {!isListed && <option value={value}>{value === "" ? words.messageMappings.chooseTable : value}</option>}
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
