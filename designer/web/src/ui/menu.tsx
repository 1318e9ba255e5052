/** A button with a menu: arrow keys walk, Escape closes, the browser keeps it above everything else. */
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import "./menu.css";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly run: () => void;
  readonly danger?: boolean | undefined;
  /** It is the choice in force, of items that are choices. */
  readonly checked?: boolean | undefined;
  /** Why the item cannot be chosen now. */
  readonly off?: string | undefined;
}

interface MenuProps {
  /** The name of the button for screen readers, and its tooltip. */
  readonly label: string;
  /** What the button shows. */
  readonly children: ReactNode;
  readonly items: readonly MenuItem[];
  readonly className?: string;
}

export function Menu({ label, children, items, className = "button quiet" }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const hide = (): void => list.current?.hidePopover();
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={label}
        title={label}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        className="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onToggle={(event) => {
          if (event.newState === "open") open(list.current, button.current);
        }}
        onKeyDown={(event) => walk(event, list.current, hide)}
      >
        {items.map((item) => (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a menuitemradio has it, a menuitem does not get it
          <button
            key={item.label}
            type="button"
            role={item.checked === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={item.checked}
            aria-disabled={item.off !== undefined}
            tabIndex={-1}
            className={item.danger === true ? "menu-item danger" : "menu-item"}
            title={item.off}
            onClick={() => {
              if (item.off !== undefined) return;
              hide();
              item.run();
            }}
          >
            {item.checked === true ? <Icon name="check" /> : <ItemIcon name={item.icon} />}
            <span>{item.label}</span>
          </button>
        ))}
      </div>
    </>
  );
}

function ItemIcon({ name }: { readonly name: IconName | undefined }) {
  return name === undefined ? <span className="icon" /> : <Icon name={name} />;
}

/** Puts the menu below its button, inside of the window, and the focus on its first item. */
function open(list: HTMLElement | null, button: HTMLElement | null): void {
  if (list === null || button === null) return;
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const below = at.bottom + 4;
  list.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  list.style.top = `${below + height > innerHeight ? Math.max(8, at.top - height - 4) : below}px`;
  itemsOf(list)[0]?.focus();
}

function itemsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

function walk(event: KeyboardEvent, list: HTMLElement | null, hide: () => void): void {
  if (list === null) return;
  const items = itemsOf(list);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (target !== undefined) {
    event.preventDefault();
    items[target]?.focus();
  } else if (event.key === "Tab") {
    hide();
  }
}
