/** The command palette: screens, flows and actions by their names. */
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { workspaceFlows } from "../api/cache.ts";
import { openDialog } from "../ui/dialogs.tsx";
import { Icon } from "../ui/icon.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { type Command, commandsNow } from "./commands.ts";
import { found } from "./search.ts";
import { Keys } from "./shortcut-table.tsx";
import "./palette.css";

/** More than these nobody reads. */
const most = 50;

export function openPalette(): void {
  void openDialog<Command>((close) => <Palette close={close} />).then((command) => command?.run());
}

interface PaletteProps {
  readonly close: (chosen?: Command) => void;
}

function Palette({ close }: PaletteProps) {
  const id = useId();
  const flows = useStore(workspaceFlows()).value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: flows are among the commands as soon as they are known
  const commands = useMemo(commandsNow, [flows]);
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const shown = found(query, commands, ({ title, words: more = "", group }) => `${title} ${more} ${group}`).slice(
    0,
    most,
  );
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const walk = (event: KeyboardEvent): void => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined && shown.length > 0) {
      event.preventDefault();
      const index = (next + shown.length) % shown.length;
      setAt(index);
      document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (shown[at] !== undefined) close(shown[at]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the cancel event
    <dialog
      ref={dialog}
      className="palette"
      aria-label={words.app.openPalette}
      onClose={() => dialog.current?.open === false && close()}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        aria-label={words.app.paletteField}
        placeholder={words.app.paletteField}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={walk}
      />
      <div id={`${id}-list`} className="palette-list" role="listbox" aria-label={words.app.commands}>
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="palette-item"
            onClick={() => close(command)}
          >
            <Icon name={command.icon} />
            <span className="palette-title">{command.title}</span>
            <span className="faint">{command.group}</span>
            {command.keys !== undefined && <Keys keys={command.keys} />}
          </div>
        ))}
      </div>
      <p className={shown.length > 0 ? "hidden" : "palette-none"} role="status">
        {shown.length > 0 ? words.app.commandCount(shown.length) : words.app.noCommand}
      </p>
    </dialog>
  );
}
