/**
 * Dialogs that are opened from anywhere: a function opens one and waits for its answer, so that an action such as a
 * deployment runs the same from a screen, the command palette and a shortcut.
 */
import { Fragment, type ReactNode } from "react";
import { createStore } from "./store.ts";
import { useStore } from "./use-store.ts";

interface OpenDialog {
  readonly key: number;
  readonly content: ReactNode;
}

const open = createStore<readonly OpenDialog[]>([]);
let lastKey = 0;

/** Opens a dialog. @returns what it closes with; undefined: it was cancelled */
export function openDialog<T>(render: (close: (answer?: T) => void) => ReactNode): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  lastKey += 1;
  const key = lastKey;
  const close = (answer?: T): void => {
    open.set((before) => before.filter((dialog) => dialog.key !== key));
    resolve(answer);
  };
  open.set((before) => [...before, { key, content: render(close) }]);
  return promise;
}

/** Whether a dialog is open: shortcuts of the page rest meanwhile. */
export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** The place of the page where they are drawn. */
export function Dialogs() {
  return useStore(open).map(({ key, content }) => <Fragment key={key}>{content}</Fragment>);
}
