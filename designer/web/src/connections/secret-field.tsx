/** The name of a secret of connections. Values are never typed, shown or sent here. */
import { words } from "../words.ts";

interface SecretFieldProps {
  readonly input: object;
  readonly value: string;
  readonly onValue: (value: string | undefined) => void;
}

export function SecretField({ input, value, onValue }: SecretFieldProps) {
  return (
    <input
      {...input}
      className="input"
      spellCheck={false}
      autoComplete="off"
      placeholder={words.connections.secretName}
      value={value}
      onChange={(event) => onValue(event.target.value.trim() || undefined)}
    />
  );
}
