/** Short notices at the edge of the page: what was done goes away again, what went wrong stays until it is closed. */
import "./toast.css";
import { words } from "../words.ts";
import { Button, IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { createStore } from "./store.ts";
import { useStore } from "./use-store.ts";

export interface Notice {
  readonly kind: "done" | "warn" | "error";
  readonly text: string;
  /** A way on, such as a link to a run. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

interface Toast extends Notice {
  readonly key: number;
}

const toasts = createStore<readonly Toast[]>([]);
const shownMs = 6000;
/** The oldest go first when there are more. */
const most = 4;
let lastKey = 0;

/** Shows a notice, and reads it to screen readers. */
export function notify(notice: Notice): void {
  lastKey += 1;
  const key = lastKey;
  toasts.set((before) => [...before, { ...notice, key }].slice(-most));
  if (notice.kind === "done") setTimeout(() => close(key), shownMs);
}

function close(key: number): void {
  toasts.set((before) => before.filter((toast) => toast.key !== key));
}

const icons = { done: "check", warn: "warn", error: "error" } as const;

/** The place of the page where they are drawn. */
export function Toasts() {
  return (
    <section className="toasts" aria-label={words.ui.notices} aria-live="polite">
      {useStore(toasts).map(({ key, kind, text, action }) => (
        <div key={key} className={`toast ${kind}`}>
          <Icon name={icons[kind]} />
          <span className="toast-text">{text}</span>
          {action !== undefined && (
            <Button
              kind="quiet"
              onClick={() => {
                close(key);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton icon="close" label={words.ui.close} onClick={() => close(key)} />
        </div>
      ))}
    </section>
  );
}
