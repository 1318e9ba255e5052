/** A node: a button that is selected, marked, dragged. It is drawn again only when something of it changes. */
import { type DragEvent, type MouseEvent, memo } from "react";
import { lineColumnAt } from "../../model/index.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { lineMark } from "../session/marks.ts";
import type { EditorSession } from "../session/session.ts";
import { useCanvas, useSession } from "./context.ts";
import { beginDrag } from "./drag.ts";
import { clickNode } from "./pointer.ts";
import { StepIcon } from "./step-icon.tsx";

interface NodeCardProps {
  readonly itemKey: string;
  readonly icon: string;
  readonly title: string;
  readonly brief: string;
  readonly id?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isShared?: boolean | undefined;
  readonly isDraggable?: boolean | undefined;
}

export const NodeCard = memo(function NodeCard(props: NodeCardProps) {
  const { itemKey, icon, title, brief, id, isDisabled = false, isShared = false, isDraggable = false } = props;
  const { session, isEditable, openForm } = useCanvas();
  const isSelected = useSession(session, ({ selection }) => selection.includes(itemKey));
  const isStop = useSession(session, ({ selection, index }) => tabStop(selection, index.items) === itemKey);
  const problem = useSession(session, ({ problems }) => problems.get(itemKey)?.[0]);
  const mark = useMark(session, itemKey, id);
  const names = [
    "node",
    isDisabled ? "disabled" : "",
    isShared ? "shared" : "",
    problem === undefined ? "" : problem.severity,
    mark?.state ?? "",
  ];
  const notes = [
    isDisabled ? words.canvas.disabled : undefined,
    isShared ? words.canvas.shared : undefined,
    problem?.message,
    ...(mark?.badges ?? []).map((badge) => badge.title),
  ].filter((note) => note !== undefined);
  return (
    <button
      type="button"
      className={names.filter(Boolean).join(" ")}
      data-key={itemKey}
      data-id={id}
      aria-pressed={isSelected}
      tabIndex={isStop ? 0 : -1}
      title={notes.length === 0 ? undefined : notes.join("\n")}
      draggable={isDraggable && isEditable && !isShared}
      onClick={(event: MouseEvent) => clickNode(session, itemKey, event)}
      onDoubleClick={openForm}
      onDragStart={(event: DragEvent) => beginDrag(event, session, itemKey)}
    >
      <StepIcon name={icon} />
      <span className="node-text">
        <span className="node-line">
          <span className="node-title">{title}</span>
          {id !== undefined && <span className="node-id">{id}</span>}
        </span>
        {brief !== "" && brief !== title && <span className="node-brief">{brief}</span>}
      </span>
      {problem !== undefined && <span className="hidden">{problem.message}</span>}
      {mark !== undefined && mark.badges.length > 0 && (
        <span className="badges">
          {mark.badges.map((badge) => (
            <span key={badge.title} className={`badge ${badge.tone}`}>
              {badge.text}
            </span>
          ))}
        </span>
      )}
    </button>
  );
});

/** The one node that Tab reaches: the one selected last, or the first. */
function tabStop(selection: readonly string[], items: ReadonlyMap<string, unknown>): string | undefined {
  return selection.at(-1) ?? items.keys().next().value;
}

function useMark(session: EditorSession, key: string, id: string | undefined) {
  return useStore({
    subscribe: session.marks.subscribe,
    get() {
      const marks = session.marks.get();
      if (marks.size === 0) return undefined;
      if (id !== undefined) return marks.get(id);
      const { flow, index } = session.get();
      const item = index.items.get(key);
      // A branch begins with its first step.
      return item === undefined || item.kind === "branch"
        ? undefined
        : marks.get(lineMark(lineColumnAt(flow.text, item.range.from).line));
    },
  });
}
