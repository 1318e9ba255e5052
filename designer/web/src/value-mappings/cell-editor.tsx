/** The field in which the active cell is edited. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

export interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  /** Takes the text over. `key`: what ended the editing; undefined: the focus has gone elsewhere. */
  readonly onCommit: (text: string, key?: "Enter" | "Tab", back?: boolean) => void;
  readonly onCancel: () => void;
}

export function CellEditor({ label, text: first, onCommit, onCancel }: CellEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(first);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(first.length, first.length);
  }, [first]);
  const end = (run: () => void): void => {
    if (ended.current) return;
    ended.current = true;
    run();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // An input method is at work: the key is its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      end(onCancel);
    } else if (event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) {
      // What is saved then has the text.
      end(() => onCommit(text));
    } else if (event.key === "Enter" && event.altKey) {
      event.preventDefault();
      const { selectionStart, selectionEnd } = event.currentTarget;
      event.currentTarget.setRangeText("\n", selectionStart, selectionEnd, "end");
      setText(event.currentTarget.value);
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      const key = event.key;
      end(() => onCommit(text, key, event.shiftKey));
    }
  };
  return (
    <textarea
      ref={field}
      className="grid-editor"
      aria-label={label}
      rows={Math.min(6, text.split("\n").length)}
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(() => onCommit(text))}
      onPointerDown={(event) => event.stopPropagation()}
    />
  );
}
