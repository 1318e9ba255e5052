/** A field whose value is taken with each letter, or only when the field is left. */
import { type ComponentProps, useState } from "react";

interface DraftInputProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  readonly value: string;
  /** true: the value is taken by Enter and when the field is left. */
  readonly isLate: boolean;
  readonly onValue: (value: string) => void;
}

export function DraftInput({ value, isLate, onValue, ...rest }: DraftInputProps) {
  const [draft, setDraft] = useState<string>();
  const take = (): void => {
    if (draft !== undefined && draft !== value) onValue(draft);
    setDraft(undefined);
  };
  return (
    <input
      {...rest}
      className="input mono"
      spellCheck={false}
      value={draft ?? value}
      onChange={(event) => {
        if (isLate) setDraft(event.target.value);
        else onValue(event.target.value);
      }}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === "Enter") take();
      }}
    />
  );
}
