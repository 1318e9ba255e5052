/** A text into which names are completed while it is typed: functions of the simple language behind `${`, secrets and parameters behind `{{`. */
import { type ComponentProps, type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { DocsText } from "../../ui/docs-text.tsx";
import { words } from "../../words.ts";
import {
  type Completion,
  completePlaceholder,
  completeSecret,
  completeSimple,
  insertEntry,
  ownNames,
} from "./completion.ts";
import { type FormContext, isSecretField } from "./form-context.ts";
import { type SimpleFunction, simpleFunctions } from "./simple-functions.ts";
import { TextArea, TextInput } from "./text-input.tsx";

interface CompletedInputProps {
  readonly id?: string;
  readonly "aria-label"?: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly inputMode?: ComponentProps<"input">["inputMode"];
  readonly context: FormContext;
  /** Of the option: a field that is for a secret offers them while it is empty. */
  readonly name?: string;
  /** Whether it is in the simple language. */
  readonly isSimple?: boolean;
  readonly isOneLine?: boolean;
  /** Whole values that are offered. */
  readonly offers?: readonly string[];
  readonly onText: (text: string) => void;
}

export function CompletedInput(props: CompletedInputProps) {
  const { value, onText, context, name = "", isSimple = false, isOneLine = false, offers = [], ...rest } = props;
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const [offer, setOffer] = useState<Completion>();
  const [at, setAt] = useState(0);
  const list = useId();
  const look = (): void => {
    const { current } = field;
    setAt(0);
    const caret = current?.selectionStart ?? 0;
    if (current === null || caret !== current.selectionEnd || !context.isEditable) {
      setOffer(undefined);
      return;
    }
    const { session, catalog } = context;
    const { value: text } = current;
    const offered = (): readonly SimpleFunction[] => [
      ...ownNames(session.flow(), session.get().tree),
      ...simpleFunctions(catalog.functions ?? []),
    ];
    setOffer(
      (isSimple ? completeSimple(text, caret, offered()) : undefined) ??
        completePlaceholder(text, caret, context.placeholders()) ??
        (isSecretField(name) ? completeSecret(text, context.placeholders()) : undefined),
    );
  };
  const pick = (index: number): void => {
    const { current } = field;
    const entry = offer?.entries[index];
    if (current === null || offer === undefined || entry === undefined) return;
    const { text, caret } = insertEntry(current.value, current.selectionStart ?? 0, offer, entry);
    onText(text);
    setOffer(undefined);
    // The caret is set once the text has been drawn.
    requestAnimationFrame(() => {
      current.setSelectionRange(caret, caret);
      look();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (offer === undefined) return;
    const last = offer.entries.length - 1;
    if (event.key === "ArrowDown") setAt(at >= last ? 0 : at + 1);
    else if (event.key === "ArrowUp") setAt(at <= 0 ? last : at - 1);
    else if (event.key === "Enter" || (event.key === "Tab" && offer.isBegun)) pick(at);
    else if (event.key === "Escape") setOffer(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const Text = isOneLine ? TextInput : TextArea;
  return (
    <div className="simple">
      <Text
        {...rest}
        ref={field}
        readOnly={!context.isEditable}
        value={value}
        // One list at a time.
        {...(isOneLine && { offers: offer === undefined ? offers : [] })}
        onText={(text: string) => {
          onText(text);
          look();
        }}
        onKeyDown={onKeyDown}
        onClick={look}
        onFocus={(_: FocusEvent) => look()}
        onBlur={() => setOffer(undefined)}
        aria-autocomplete="list"
        aria-controls={offer === undefined ? undefined : list}
        aria-activedescendant={offer === undefined ? undefined : `${list}-${at}`}
      />
      {offer !== undefined && (
        <div id={list} className="simple-list" role="listbox" aria-label={words.form.nameList}>
          {offer.entries.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text
            <div
              key={entry.text}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={index === at ? "simple-entry on" : "simple-entry"}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(index)}
            >
              <code>{entry.text}</code>
              <span className="field-help">
                <DocsText text={entry.docs} />
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
