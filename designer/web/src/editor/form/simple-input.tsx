/** A text of the simple language: functions are offered behind `${`. */
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { DocsText } from "../../ui/docs-text.tsx";
import { words } from "../../words.ts";
import { type Completion, completeSimple, insertFunction, ownNames } from "./completion.ts";
import type { FormContext } from "./form-context.ts";
import { TextArea } from "./text-input.tsx";

interface SimpleInputProps {
  readonly id?: string;
  readonly value: string;
  readonly placeholder?: string | undefined;
  readonly context: FormContext;
  readonly onText: (text: string) => void;
}

export function SimpleInput({ value, onText, context, ...rest }: SimpleInputProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [offer, setOffer] = useState<Completion>();
  const [at, setAt] = useState(0);
  const list = useId();
  const look = (): void => {
    const { session } = context;
    const { current } = area;
    setAt(0);
    const caret = current?.selectionStart ?? 0;
    const isCaret = current !== null && caret === current.selectionEnd;
    const own = ownNames(session.flow(), session.get().tree);
    setOffer(isCaret ? completeSimple(current.value, caret, own) : undefined);
  };
  const pick = (index: number): void => {
    const { current } = area;
    const entry = offer?.entries[index];
    if (current === null || offer === undefined || entry === undefined) return;
    const { text, caret } = insertFunction(current.value, current.selectionStart, offer.from, entry);
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
    else if (event.key === "Enter" || event.key === "Tab") pick(at);
    else if (event.key === "Escape") setOffer(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="simple">
      <TextArea
        {...rest}
        ref={area}
        readOnly={!context.isEditable}
        value={value}
        onText={(text) => {
          onText(text);
          look();
        }}
        onKeyDown={onKeyDown}
        onClick={look}
        onBlur={() => setOffer(undefined)}
        aria-autocomplete="list"
        aria-controls={offer === undefined ? undefined : list}
        aria-activedescendant={offer === undefined ? undefined : `${list}-${at}`}
      />
      {offer !== undefined && (
        <div id={list} className="simple-list" role="listbox" aria-label={words.form.functionList}>
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
