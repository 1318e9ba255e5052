/** The list from which a step is picked: type, arrow keys, Enter. It stands beside the place where the step goes. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import "./picker.css";
import type { Catalog } from "../../model/index.ts";
import { words } from "../../words.ts";
import { StepIcon } from "../canvas/step-icon.tsx";
import { useCatalog } from "../catalog.ts";
import { type PickerEntry, pickerEntries, type Wanted } from "./entries.ts";
import { placeBeside } from "./place.ts";
import { noteRecent, readRecent } from "./recent.ts";
import { findEntries } from "./search.ts";

interface PickerProps {
  readonly wanted: Wanted;
  /** Where the picker stands: below this rectangle of the window. */
  readonly beside: DOMRect | undefined;
  readonly onPick: (entry: PickerEntry, catalog: Catalog) => void;
  readonly onClose: () => void;
}

export function Picker({ wanted, beside, onPick, onClose }: PickerProps) {
  // The runtime may answer while the picker is open.
  const { catalog, isKnown } = useCatalog();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const ground = useRef<HTMLDialogElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const entries = useMemo(() => pickerEntries(catalog, wanted), [catalog, wanted]);
  const recent = useMemo(readRecent, []);
  const found = useMemo(() => findEntries(entries, query, recent), [entries, query, recent]);
  useLayoutEffect(() => {
    const dialog = ground.current;
    dialog?.showModal();
    if (box.current !== null) placeBeside(box.current, beside);
    input.current?.focus();
    return () => dialog?.close();
  }, [beside]);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  const pick = (entry: PickerEntry | undefined): void => {
    if (entry === undefined) return;
    noteRecent(entry.key);
    onPick(entry, catalog);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    const next = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(at + 8, last),
      PageUp: Math.max(at - 8, 0),
    }[event.key];
    if (next !== undefined) setAt(Math.max(0, next));
    else if (event.key === "Enter") pick(found[at]);
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <dialog
      ref={ground}
      className="picker-ground"
      aria-label={words.picker.title[wanted]}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div ref={box} className="picker">
        <input
          ref={input}
          className="picker-search"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
          aria-label={words.picker.search[wanted]}
          placeholder={words.picker.search[wanted]}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        {found.length === 0 ? (
          <p className="picker-none">{isKnown ? words.picker.none(query) : words.picker.noCatalog}</p>
        ) : (
          <div className="picker-list" id={`${id}-list`} role="listbox" aria-label={words.picker.title[wanted]}>
            {found.map((entry, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the search box
              <div
                key={entry.key}
                id={`${id}-${index}`}
                className={index === at ? "picker-entry on" : "picker-entry"}
                role="option"
                aria-selected={index === at}
                tabIndex={-1}
                onMouseMove={() => setAt(index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => pick(entry)}
              >
                <StepIcon name={entry.name} />
                <span className="picker-text">
                  <span className="picker-title">
                    {entry.title} <span className="picker-group">{words.picker.groups[entry.group]}</span>
                  </span>
                  <span className="picker-docs">{entry.docs}</span>
                </span>
              </div>
            ))}
          </div>
        )}
      </div>
    </dialog>
  );
}
