/** A field of text that is written into the flow with each key; what is typed stays while the flow reads it another way. */
import { type ComponentProps, useId, useState } from "react";

interface TextInputProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "list"> {
  readonly value: string;
  readonly onText: (text: string) => void;
  /** What may be meant, offered while typing. */
  readonly offers?: readonly string[] | undefined;
}

export function TextInput({ value, onText, offers = [], ...rest }: TextInputProps) {
  const [draft, setDraft] = useDraft(value);
  const list = useId();
  return (
    <>
      <input
        className="input"
        spellCheck={false}
        autoComplete="off"
        {...rest}
        {...(offers.length > 0 && { list })}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          onText(event.target.value);
        }}
      />
      {offers.length > 0 && (
        <datalist id={list}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "value" | "onChange"> {
  readonly value: string;
  readonly onText: (text: string) => void;
}

export function TextArea({ value, onText, ...rest }: TextAreaProps) {
  const [draft, setDraft] = useDraft(value);
  const rows = Math.min(12, draft.split("\n").length + (draft.includes("\n") ? 1 : 0));
  return (
    <textarea
      className="input"
      spellCheck={false}
      rows={rows}
      {...rest}
      value={draft}
      onChange={(event) => {
        setDraft(event.target.value);
        onText(event.target.value);
      }}
    />
  );
}

/** What is typed, until the value changes by something else. */
function useDraft(value: string): readonly [string, (draft: string) => void] {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setDraft(value);
  }
  return [draft, setDraft];
}
