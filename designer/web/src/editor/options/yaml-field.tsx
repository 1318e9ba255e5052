/** A setting that is a document of its own, as YAML. What is no YAML yet is not taken. */
import { useState } from "react";
import { parse, stringify } from "yaml";
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";

interface YamlFieldProps {
  readonly label: string;
  readonly help: string;
  readonly value: unknown;
  readonly isReadOnly: boolean;
  readonly onValue: (value: unknown) => void;
}

export function YamlField({ label, help, value, isReadOnly, onValue }: YamlFieldProps) {
  const [draft, setDraft] = useState(() => textFor(value));
  const [seen, setSeen] = useState(value);
  const [error, setError] = useState<string>();
  if (value !== seen) {
    setSeen(value);
    setDraft(textFor(value));
    setError(undefined);
  }
  const onText = (text: string): void => {
    setDraft(text);
    const read = readYaml(text);
    setError(read.error);
    if (read.error !== undefined) return;
    setSeen(read.value);
    onValue(read.value);
  };
  return (
    <Field label={label} help={help} error={error === undefined ? undefined : words.flowOptions.notYaml(error)}>
      {(input) => (
        <textarea
          {...input}
          className="input"
          spellCheck={false}
          readOnly={isReadOnly}
          rows={Math.min(16, draft.split("\n").length + 1)}
          value={draft}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}

function textFor(value: unknown): string {
  return value === undefined ? "" : stringify(value);
}

function readYaml(text: string): { readonly value: unknown; readonly error?: string } {
  try {
    const value: unknown = parse(text, { maxAliasCount: 50 });
    return { value: text.trim() === "" ? undefined : value };
  } catch (error) {
    return { value: undefined, error: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}
