/** A modal dialog: the browser keeps the focus inside and gives it back at the end. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { words } from "../words.ts";
import "./dialog.css";
import { IconButton } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  /** Called by Escape, by the button in the corner and by a click beside the dialog. */
  readonly onClose: () => void;
  /** Called by Enter in a field and by a button of type submit. */
  readonly onSubmit?: (() => void) | undefined;
  readonly children: ReactNode;
  /** The buttons at the end; the last is the one that goes on. */
  readonly actions?: ReactNode;
  readonly wide?: boolean | undefined;
  /** true: what is under way is waited for, and another address leaves the dialog open. */
  readonly busy?: boolean | undefined;
}

export function Dialog({ title, onClose, onSubmit, children, actions, wide = false, busy = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // A layout effect ends before its element is removed: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the cancel event
    <dialog
      ref={element}
      tabIndex={-1}
      aria-busy={busy}
      className={wide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => {
        // The browser closes it without asking at the second Escape.
        if (element.current?.open === false) onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" label={words.ui.close} onClick={onClose} />
        </header>
        <div className="dialog-body">{children}</div>
        {actions !== undefined && <footer className="dialog-actions">{actions}</footer>}
      </form>
    </dialog>
  );
}
