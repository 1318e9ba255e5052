/** The mappings that are open in this page: what is not saved stays when one looks at another screen meanwhile. */
import { type Base, type MappingRef, readBase } from "./base.ts";
import type { OpenMapping } from "./open-mapping.ts";

const open = new Map<string, OpenMapping>();

function keyOf({ kind, id, target }: MappingRef): string {
  return `${kind} ${id} ${target}`;
}

/** Returns the session of a mapping with unsaved changes, else reads the mapping anew. Rejects with DesignerError and ApiError. */
export async function openMapping<Session extends OpenMapping>(
  ref: MappingRef,
  make: (ref: MappingRef, base: Base) => Session,
  signal: AbortSignal,
): Promise<Session> {
  const known = unsavedMapping(ref);
  // Sessions of a kind are all of one class.
  if (known !== undefined) return known as Session;
  const session = make(ref, await readBase(ref, signal));
  open.set(keyOf(ref), session);
  return session;
}

/** The session of a mapping that has unsaved changes, whatever screen is shown. */
export function unsavedMapping(ref: MappingRef): OpenMapping | undefined {
  const known = open.get(keyOf(ref));
  return known?.now().isDirty === true ? known : undefined;
}

/** Forgets a mapping that was deleted, with what was not saved. */
export function forgetMapping(ref: MappingRef): void {
  open.delete(keyOf(ref));
}

addEventListener("beforeunload", (event) => {
  if ([...open.values()].some((session) => session.now().isDirty)) event.preventDefault();
});
