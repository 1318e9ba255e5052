/**
 * Dialogs that are opened from anywhere: a function opens one and waits for its answer, so that an action such as a
 * deployment runs the same from a screen, the command palette and a shortcut.
 */
import type { ReactNode } from "react";
import { createStore } from "./store.ts";
import { useStore } from "./use-store.ts";

interface OpenDialog {
  readonly key: number;
  readonly content: ReactNode;
  readonly cancel: () => void;
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
  open.set((before) => [...before, { key, content: render(close), cancel: () => close() }]);
  return promise;
}

/** Whether it must stay until what it shows is over. */
function isBusy({ key }: OpenDialog): boolean {
  return document.querySelector(`[data-dialog="${key}"] dialog[aria-busy="true"]`) !== null;
}

/** Another address is another screen: a dialog of the one before would lie over it. */
addEventListener("hashchange", ({ oldURL, newURL }) => {
  if (pathOf(oldURL) === pathOf(newURL)) return;
  for (const dialog of open.get()) if (!isBusy(dialog)) dialog.cancel();
});

function pathOf(url: string): string {
  return new URL(url).hash.split("?", 1)[0] ?? "";
}

/** Whether a dialog is open: shortcuts of the page rest meanwhile. */
export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** The place of the page where they are drawn. */
export function Dialogs() {
  return useStore(open).map(({ key, content }) => (
    <div key={key} data-dialog={key}>
      {content}
    </div>
  ));
}
