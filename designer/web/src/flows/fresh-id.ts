/** Ids for flows that are made here. */
import type { FlowFile, FlowWrite } from "../../../shared/wire.ts";
import { runtimeFlows, workspaceFlows } from "../api/cache.ts";
import { target } from "../api/target.ts";
import { conflictOf, createFlow } from "../api/workspace.ts";
import { slug } from "../model/slug.ts";

/** Ids that a new flow, whose route has the same id, cannot have: of flows, and of routes of the runtime. In lower case. */
export function takenIds(): ReadonlySet<string> {
  const on = target.get();
  const running = on === undefined ? [] : (runtimeFlows(on.name).get().value ?? []);
  const kept = workspaceFlows().get().value ?? [];
  const ids = [...kept, ...running, ...running.flatMap(({ routes }) => routes)].map(({ id }) => id.toLowerCase());
  return new Set(ids);
}

/** Whether an id can be made of a name; one without a letter of the Latin alphabet becomes `flow`, or `flow-2`. */
export function isNameUsable(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name);
}

/**
 * Writes a new flow under the slug of a name, or the next one when somebody has taken it meanwhile.
 * `make`: its content under an id.
 */
export async function createUnder(
  name: string,
  taken: ReadonlySet<string>,
  make: (id: string) => FlowWrite | Promise<FlowWrite>,
): Promise<FlowFile> {
  const id = slug(name, taken);
  try {
    return await createFlow(id, await make(id));
  } catch (error) {
    if (conflictOf(error) === undefined) throw error;
    return createUnder(name, new Set([...taken, id]), make);
  }
}
