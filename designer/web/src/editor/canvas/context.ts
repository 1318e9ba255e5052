/** What the parts of the canvas share: the open flow, and what they ask the editor for. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Place } from "../actions/paths.ts";
import type { EditorSession } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";

export interface CanvasContext {
  readonly session: EditorSession;
  /** Opens the picker beside a part of the page; what is picked goes to the place. */
  readonly pickStep: (place: Place, beside: Element) => void;
  /** Moves the focus to the form of what is selected. */
  readonly openForm: () => void;
  readonly isEditable: boolean;
}

const Context = createContext<CanvasContext | undefined>(undefined);

export const CanvasProvider = Context.Provider;

export function useCanvas(): CanvasContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error("a part of the canvas stands outside of it");
  return context;
}

/** Reads a part of the session's state: the component is drawn again only when that part changes. */
export function useSession<T>(session: EditorSession, read: (state: SessionState) => T): T {
  return useSyncExternalStore(session.subscribe, () => read(session.get()));
}
