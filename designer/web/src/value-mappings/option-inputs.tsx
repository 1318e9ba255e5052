/** Fields of the options, rules and tests of a value mapping. */
import { stringify } from "../../../../src/client/json.ts";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import { isScalar, parseScalar, type Scalar, scalarText } from "./cell-text.ts";

interface TextOptionProps {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: string | undefined) => void;
}

export function TextOption({ label, value, onChange }: TextOptionProps) {
  return (
    <Field label={label}>
      {(input) => (
        <input
          {...input}
          className="input"
          value={textOf(value)}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
        />
      )}
    </Field>
  );
}

interface ScalarOptionProps {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: Scalar | undefined) => void;
}

export function ScalarOption({ label, value, onChange }: ScalarOptionProps) {
  return (
    <Field label={label} help={words.valueMappings.literalHelp}>
      {(input) => <ScalarInput {...input} value={isScalar(value) ? value : undefined} onChange={onChange} />}
    </Field>
  );
}

interface ScalarInputProps {
  readonly id?: string;
  readonly "aria-label"?: string;
  readonly value: Scalar | undefined;
  readonly onChange: (value: Scalar | undefined) => void;
}

/** A field for a text, or behind an equals sign for another value. Empty: no value. */
export function ScalarInput({ value, onChange, ...rest }: ScalarInputProps) {
  return (
    <input
      {...rest}
      className="input"
      spellCheck={false}
      value={value === undefined ? "" : scalarText(value)}
      onChange={(event) => {
        const text = event.target.value;
        onChange(text === "" ? undefined : parseScalar(text, value));
      }}
    />
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: unknown;
  readonly choices: Readonly<Record<string, string>>;
  /** What holds when nothing is chosen. */
  readonly unset: string;
  readonly onChange: (value: string | undefined) => void;
}

export function Choice({ label, value, choices, unset, onChange }: ChoiceProps) {
  const isOdd = value !== undefined && !Object.hasOwn(choices, String(value));
  return (
    <Field label={label}>
      {(input) => (
        <select
          {...input}
          className="input"
          value={value === undefined ? "" : String(value)}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
        >
          <option value="">{words.valueMappings.usual(unset)}</option>
          {Object.entries(choices).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
          {isOdd && <option value={String(value)}>{String(value)}</option>}
        </select>
      )}
    </Field>
  );
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : stringify(value);
}

interface ColumnChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: unknown;
  readonly onChange: (name: string | undefined) => void;
}

/** A column by its name; one that is not there stays, and is reported by the runtime. */
export function ColumnChoice({ label, names, value, onChange }: ColumnChoiceProps) {
  const name = typeof value === "string" ? value : "";
  return (
    <select
      className="input"
      aria-label={label}
      value={name}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
    >
      <option value="">{words.valueMappings.anyColumn}</option>
      {[...names, ...(name === "" || names.includes(name) ? [] : [name])].map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

export function scalarOf(value: unknown): Scalar | undefined {
  return isScalar(value) ? value : undefined;
}
