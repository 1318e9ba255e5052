/** What one does with an open mapping as a whole, whatever its kind. */
import type { ReactNode } from "react";
import { target } from "../api/target.ts";
import { hashOf } from "../app/hash.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { bringIntoWorkspace } from "./bring-in.ts";
import { useFollow } from "./follow.ts";
import { installMapping } from "./install.tsx";
import { type MappingFrame, screenPaths } from "./mapping-place.tsx";
import type { OpenMapping } from "./open-mapping.ts";
import { saveMapping } from "./save.tsx";
import { mappingRow } from "./state.ts";
import { MappingStateChip } from "./state-chip.tsx";
import { useMappings } from "./use-mappings.ts";

const { mappings: texts } = words;

/** Who opens a mapping beside a flow goes on in it. */
function focusNow(button: HTMLElement | null): void {
  button?.focus();
}

interface MappingBarProps {
  readonly session: OpenMapping & { readonly undo: () => void; readonly redo: () => void };
  readonly frame: MappingFrame;
  readonly name: string;
  readonly isEditable: boolean;
  readonly isDirty: boolean;
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
  /** Chips behind the name. */
  readonly notes?: ReactNode;
  /** Buttons in front of Save. */
  readonly children?: ReactNode;
  readonly menuLabel: string;
  readonly menuItems: readonly MenuItem[];
}

export function MappingBar({ session, frame, name, isEditable, isDirty, notes, children, ...bar }: MappingBarProps) {
  const { kind, id } = session;
  const on = useStore(target);
  const { home, etag } = session.now().base;
  const row = mappingRow(useMappings(), session, isDirty);
  const isOther = useFollow(session, row, isDirty);
  const isKept = home === "workspace";
  const items: readonly MenuItem[] =
    isKept || !isEditable
      ? bar.menuItems
      : [{ label: texts.bringIn, icon: "download", run: () => void bringIntoWorkspace(session) }, ...bar.menuItems];
  return (
    <header className="workbench-bar mapping-bar">
      {frame.onBack === undefined ? (
        <a className="workbench-back" href={hashOf([screenPaths[kind]])}>
          {texts.lists[kind]}
        </a>
      ) : (
        <Button ref={focusNow} icon="left" onClick={frame.onBack}>
          {texts.back}
        </Button>
      )}
      <h1 title={id}>{name}</h1>
      {name !== id && <code className="faint">{id}</code>}
      <MappingStateChip row={row} />
      {isDirty && <Chip tone="accent">{words.editor.unsaved}</Chip>}
      {isOther && isDirty && (
        <Chip tone="warn" title={texts.changedText[home]}>
          {texts.changed[home]}
        </Chip>
      )}
      {notes}
      <span className="space" />
      {isEditable && (
        <>
          <IconButton
            icon="undo"
            label={words.editor.undo(bar.undoLabel)}
            disabled={bar.undoLabel === undefined}
            onClick={session.undo}
          />
          <IconButton
            icon="redo"
            label={words.editor.redo(bar.redoLabel)}
            disabled={bar.redoLabel === undefined}
            onClick={session.redo}
          />
          {children}
        </>
      )}
      {items.length > 0 && (
        <Menu label={bar.menuLabel} items={items} className="button quiet bare">
          <Icon name="more" />
        </Menu>
      )}
      {isEditable && (
        <Button
          kind={isKept ? undefined : "primary"}
          icon="save"
          disabled={!isDirty && etag !== undefined && row.entry?.draft !== true}
          onClick={() => void saveMapping(session)}
        >
          {words.editor.save}
        </Button>
      )}
      {isEditable && isKept && on !== undefined && (
        <Button kind="primary" icon="deploy" onClick={() => void installMapping(session, on)}>
          {texts.install}
        </Button>
      )}
    </header>
  );
}
