/** A tree of fields as WAI-ARIA has it: arrow keys walk, Enter chooses, and fields are dragged onto those of the other tree. */
import { type DragEvent, type KeyboardEvent, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { words } from "../../words.ts";
import type { FieldNode } from "../model/fields.ts";
import { beginDrag, draggedField, endDrag } from "./drag.ts";
import "./trees.css";

interface FieldTreeProps {
  readonly side: "source" | "target";
  readonly root: FieldNode;
  /** The key of the field that is chosen. */
  readonly chosen?: string | undefined;
  readonly isSet?: ((field: FieldNode) => boolean) | undefined;
  /** Enter, or a click. */
  readonly onChoose: ((field: FieldNode) => void) | undefined;
  readonly onDrop?: ((source: FieldNode, target: FieldNode) => void) | undefined;
}

interface Shown {
  readonly field: FieldNode;
  readonly level: number;
}

export function FieldTree({ side, root, chosen, isSet, onChoose, onDrop }: FieldTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState("");
  const [over, setOver] = useState<string>();
  const shown = visible(root, closed, 1);
  const here = shown.some(({ field }) => field.key === current) ? current : "";
  const toggle = (key: string, isClosed: boolean): void => {
    const next = new Set(closed);
    if (isClosed) next.add(key);
    else next.delete(key);
    setClosed(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = shown.findIndex(({ field }) => field.key === here);
    const field = shown[at]?.field;
    if (field === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const isOpen = field.children.length > 0 && !closed.has(field.key);
    const parent = shown.slice(0, at).findLast(({ level }) => level < (shown[at]?.level ?? 0));
    if (event.key === "ArrowRight" && field.children.length > 0 && !isOpen) toggle(field.key, false);
    else if (event.key === "ArrowLeft" && isOpen) toggle(field.key, true);
    else if ((event.key === "Enter" || event.key === " ") && onChoose !== undefined) onChoose(field);
    else {
      const next = {
        ArrowDown: shown[at + 1],
        ArrowUp: shown[at - 1],
        Home: shown[0],
        End: shown.at(-1),
        ArrowRight: isOpen ? shown[at + 1] : undefined,
        ArrowLeft: parent,
      }[event.key];
      if (next === undefined) return;
      setCurrent(next.field.key);
      rowOf(event.currentTarget, side, next.field.key)?.focus();
    }
    event.preventDefault();
  };
  return (
    <>
      <div className="tree" role="tree" aria-label={words.messageMappings.fieldsOf[side]} onKeyDown={onKeyDown}>
        {shown.map(({ field, level }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
          <div
            key={field.key}
            role="treeitem"
            aria-level={level}
            aria-expanded={field.children.length === 0 ? undefined : !closed.has(field.key)}
            aria-selected={chosen === field.key}
            tabIndex={field.key === here ? 0 : -1}
            className={classOf(field, {
              isSet: isSet?.(field) === true,
              isOver: over === field.key,
              isChosen: chosen === field.key,
            })}
            style={{ paddingLeft: `${(level - 1) * 14 + 4}px` }}
            draggable={side === "source" && onChoose !== undefined}
            {...{ [`data-${side}`]: field.key }}
            onFocus={() => setCurrent(field.key)}
            onClick={() => onChoose?.(field)}
            onDragStart={(event) => beginDrag(event, field)}
            onDragEnd={endDrag}
            onDragOver={(event) => {
              if (onDrop !== undefined && accepts(event)) setOver(field.key);
            }}
            onDragLeave={() => setOver((before) => (before === field.key ? undefined : before))}
            onDrop={(event) => {
              event.preventDefault();
              setOver(undefined);
              const source = draggedField();
              endDrag();
              if (source !== undefined) onDrop?.(source, field);
            }}
          >
            <Twisty
              field={field}
              isClosed={closed.has(field.key)}
              onToggle={(isClosed) => toggle(field.key, isClosed)}
            />
            <span className="tree-name">{field.name}</span>
            {typeOf(field) !== "" && <span className="tree-type">{typeOf(field)}</span>}
            {field.isRequired && isSet?.(field) === false && field.children.length === 0 && (
              <span className="tree-missing" title={words.messageMappings.missing}>
                {words.messageMappings.required}
              </span>
            )}
            {field.sample !== undefined && <code className="tree-sample">{field.sample}</code>}
          </div>
        ))}
      </div>
      {root.children.length === 0 && <p className="faint tree-none">{words.messageMappings.noFields[side]}</p>}
    </>
  );
}

interface TwistyProps {
  readonly field: FieldNode;
  readonly isClosed: boolean;
  readonly onToggle: (isClosed: boolean) => void;
}

/** For the mouse; the arrow keys do the same. */
function Twisty({ field, isClosed, onToggle }: TwistyProps) {
  if (field.children.length === 0) return <span className="tree-twisty" />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tree's arrow keys open and close
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span
      className="tree-twisty"
      title={words.messageMappings.expand(field.name)}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(!isClosed);
      }}
    >
      <Icon name={isClosed ? "right" : "down"} />
    </span>
  );
}

function visible(field: FieldNode, closed: ReadonlySet<string>, level: number): readonly Shown[] {
  const inner = closed.has(field.key) ? [] : field.children.flatMap((one) => visible(one, closed, level + 1));
  return [{ field, level }, ...inner];
}

/** A sample shows its type by itself. */
function typeOf({ kind, type, sample }: FieldNode): string {
  if (sample !== undefined) return "";
  if (kind === "list") return words.messageMappings.listOf(type);
  return kind === "value" ? type : "";
}

function classOf(
  { kind }: FieldNode,
  { isSet, isOver, isChosen }: { isSet: boolean; isOver: boolean; isChosen: boolean },
) {
  return `tree-row ${kind}${isSet ? " set" : ""}${isOver ? " over" : ""}${isChosen ? " chosen" : ""}`;
}

function accepts(event: DragEvent): boolean {
  if (draggedField() === undefined) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  return true;
}

function rowOf(tree: HTMLElement, side: string, key: string): HTMLElement | undefined {
  return [...tree.querySelectorAll<HTMLElement>(`[data-${side}]`)].find((row) => row.dataset[side] === key);
}
