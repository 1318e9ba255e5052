/** An expression in JSONata, with the place of its fault. */
import { Field } from "../../ui/field.tsx";
import { words } from "../../words.ts";
import { useMapper } from "../mapper.ts";
import { placeIn } from "../outcomes.ts";

interface ExpressionInputProps {
  readonly label: string;
  readonly help: string;
  readonly error?: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function ExpressionInput({ label, help, error, value, onValue }: ExpressionInputProps) {
  const { isEditable } = useMapper();
  return (
    <>
      <Field label={label} help={help} error={error}>
        {(input) => (
          <textarea
            {...input}
            className="input"
            spellCheck={false}
            autoCapitalize="off"
            rows={Math.min(12, value.split("\n").length)}
            value={value}
            readOnly={!isEditable}
            onChange={(event) => onValue(event.target.value)}
          />
        )}
      </Field>
      {error !== undefined && <FaultPlace text={value} error={error} />}
    </>
  );
}

/** How much of a line is shown around its fault. */
const around = 40;

function FaultPlace({ text, error }: { readonly text: string; readonly error: string }) {
  const place = placeIn(error);
  const line = place === undefined ? undefined : text.split("\n")[place.line - 1];
  if (place === undefined || line === undefined) return null;
  const at = Math.min(place.column - 1, line.length);
  const before = line.slice(Math.max(0, at - around), at);
  return (
    <figure className="fault" aria-label={words.messageMappings.problemAt}>
      <code>
        {before}
        <mark>{line.charAt(at) === "" ? " " : line.charAt(at)}</mark>
        {line.slice(at + 1, at + around)}
      </code>
    </figure>
  );
}
