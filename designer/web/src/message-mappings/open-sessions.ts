/** The mappings that are open in this page: what is not saved stays when one looks at another screen meanwhile. */
import { readMapping } from "./mapping-api.ts";
import { MappingSession } from "./session.ts";

const open = new Map<string, MappingSession>();

/** Returns the session of a mapping with unsaved changes, else reads the mapping anew. Rejects with ApiError. */
export async function openMapping(target: string, id: string, signal: AbortSignal): Promise<MappingSession> {
  const key = `${target} ${id}`;
  const known = open.get(key);
  if (known?.get().isDirty === true) return known;
  const session = new MappingSession(target, id, await readMapping(target, id, signal));
  open.set(key, session);
  return session;
}

/** Forgets a mapping that was deleted, with what was not saved. */
export function closeMapping(target: string, id: string): void {
  open.delete(`${target} ${id}`);
}

addEventListener("beforeunload", (event) => {
  if ([...open.values()].some((session) => session.get().isDirty)) event.preventDefault();
});
