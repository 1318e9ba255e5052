/** The value mappings that are open in this page: what is not installed stays when one looks at another screen meanwhile. */
import { readMapping } from "./mappings-api.ts";
import { MappingSession } from "./session.ts";

const open = new Map<string, MappingSession>();

/** Returns the session of a mapping with unsaved changes, else reads the mapping anew. Rejects with ApiError. */
export async function openMapping(target: string, id: string, signal: AbortSignal): Promise<MappingSession> {
  const key = `${target} ${id}`;
  const known = open.get(key);
  if (known?.get().dirty === true) return known;
  const session = new MappingSession(target, id, await readMapping(target, id, signal));
  open.set(key, session);
  return session;
}

export function forgetMapping(target: string, id: string): void {
  open.delete(`${target} ${id}`);
}

addEventListener("beforeunload", (event) => {
  if ([...open.values()].some((session) => session.get().dirty)) event.preventDefault();
});
