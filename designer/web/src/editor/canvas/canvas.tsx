/** The drawn flow. Nodes are laid out by the page itself: a route is a column, branches stand side by side. */
import { type ClipboardEvent, useLayoutEffect, useMemo, useRef } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { words } from "../../words.ts";
import { copySelected, pasteText } from "../actions/clipboard.ts";
import { removeSelected } from "../actions/edit-steps.ts";
import type { EditorSession } from "../session/session.ts";
import { type CanvasContext, CanvasProvider, useSession } from "./context.ts";
import { endDrag } from "./drag.ts";
import { handleCanvasKey } from "./keys.ts";
import { LinkLines } from "./lines/link-lines.tsx";
import { Other, Route } from "./routes.tsx";
import { useZoom } from "./zoom.ts";
import "./canvas.css";
import "./nodes.css";

interface CanvasProps extends CanvasContext {
  readonly session: EditorSession;
}

export function Canvas({ session, pickStep, openForm, isEditable }: CanvasProps) {
  const canvas = useRef<HTMLElement>(null);
  const view = useSession(session, (state) => state.view);
  const selected = useSession(session, ({ selection }) => selection.at(-1));
  const hadFocus = useRef(false);
  const zoom = useZoom(canvas);
  const context = useMemo(
    () => ({ session, pickStep, openForm, isEditable }),
    [session, pickStep, openForm, isEditable],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed view draws the selected node anew
  useLayoutEffect(() => {
    if (canvas.current !== null && selected !== undefined) follow(canvas.current, selected, hadFocus.current);
  }, [selected, view]);
  const onCopy = (event: ClipboardEvent, isCut: boolean): void => {
    if (!getSelection()?.isCollapsed) return;
    const text = copySelected(session);
    if (text === undefined) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
    if (isCut && isEditable) removeSelected(session);
  };
  return (
    <CanvasProvider value={context}>
      <section
        ref={canvas}
        className="canvas"
        aria-label={words.canvas.title}
        onFocus={() => {
          hadFocus.current = true;
        }}
        onBlur={(event) => {
          // A node that is removed gives the focus to nobody: the next selected one gets it.
          if (event.relatedTarget !== null) hadFocus.current = event.currentTarget.contains(event.relatedTarget);
        }}
        onKeyDown={(event) => {
          if (handleCanvasKey(context, event.currentTarget, event)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
        onCopy={(event) => onCopy(event, false)}
        onCut={(event) => onCopy(event, true)}
        onPaste={(event) => {
          if (!isEditable) return;
          event.preventDefault();
          pasteText(session, event.clipboardData.getData("text/plain"));
        }}
        onDragEnd={endDrag}
      >
        {view.routes.length + view.others.length === 0 ? (
          <EmptyState icon="flows" title={words.canvas.empty} text={words.canvas.emptyText} />
        ) : (
          <div className="canvas-page" style={{ zoom }}>
            <LinkLines session={session} zoom={zoom} />
            {view.others.length > 0 && (
              <div className="others">
                {view.others.map((other) => (
                  <Other key={other.path.join("/")} other={other} />
                ))}
              </div>
            )}
            <div className="routes">
              {view.routes.map((route) => (
                <Route key={route.path.join("/")} route={route} />
              ))}
            </div>
          </div>
        )}
      </section>
    </CanvasProvider>
  );
}

/** Shows the selected node, and gives it the focus that another node had. */
function follow(canvas: HTMLElement, key: string, hadFocus: boolean): void {
  const node = canvas.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (node === null) return;
  const { activeElement } = document;
  const isFree = activeElement === null || activeElement === document.body;
  if (canvas.contains(activeElement) || (hadFocus && isFree)) node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "nearest", inline: "nearest" });
}
