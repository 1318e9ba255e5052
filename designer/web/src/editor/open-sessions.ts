/** The flows that are open in this page: what is not saved stays when one looks at another screen meanwhile. */
import { readFlow } from "../api/workspace.ts";
import { EditorSession } from "./session/session.ts";

const open = new Map<string, EditorSession>();

/** Returns the session of a flow with unsaved changes, else reads the flow anew. Rejects with DesignerError. */
export async function openSession(id: string, signal: AbortSignal): Promise<EditorSession> {
  const known = unsavedSession(id);
  if (known !== undefined) return known;
  const session = new EditorSession(await readFlow(id, signal));
  open.set(id, session);
  return session;
}

/** The session of a flow that has unsaved changes, whatever screen is shown. */
export function unsavedSession(id: string): EditorSession | undefined {
  const known = open.get(id);
  return known?.get().dirty === true ? known : undefined;
}

addEventListener("beforeunload", (event) => {
  if ([...open.values()].some((session) => session.get().dirty)) event.preventDefault();
});
