/** A DELETE, once its turn has come. */
import { AppError } from "../../shared/errors.ts";
import { assertPreconditions, currentOf } from "../stores/refusals.ts";
import type { FlowStore } from "../stores/stores.ts";
import type { Deployer } from "./deployer.ts";
import { isOwnFile, missing, refuseProblem } from "./flow-file.ts";
import type { DeleteAnswer, RemoveOptions } from "./flow-service.ts";

/** Throws AppError: not_found, flow_invalid (a file that is no flow), precondition_failed, store_failed, disk_full. */
export async function removeFlow(
  deployer: Deployer,
  id: string,
  { drainMs, purge = false, ifMatch }: RemoveOptions,
): Promise<DeleteAnswer> {
  const { store, register, claims, checks, events } = deployer.parts;
  const text = await store.read(id);
  const known = register.get(id) !== undefined;
  if (text !== undefined && !isOwnFile(text) && !known) refuseProblem(text);
  const file = text !== undefined && isOwnFile(text) ? text : undefined;
  const there = known || file !== undefined;
  // The revisions of a flow that is deleted already can still be forgotten.
  if (!there && !purge) throw missing(id, undefined);
  assertPreconditions(currentOf(file), ifMatch, undefined);
  // Unlink first: a flow that is gone from the disk must not come back with the next start.
  if (file !== undefined) await store.remove(id);
  const { draining, done } = deployer.unroute(id, drainMs);
  claims.free(id);
  checks.forget(id);
  register.delete(id);
  if (there) events.deleted(id);
  if (purge) await forgetRevisions(store, id, there);
  return { id, deleted: true, draining, ...(drainMs === undefined ? {} : await done) };
}

/** A step of its own after the flow is gone, so that what fails here fails alone and is told so. */
async function forgetRevisions(store: FlowStore, id: string, deleted: boolean): Promise<void> {
  try {
    await store.remove(id, { purge: true });
  } catch (error) {
    if (!deleted || !(error instanceof AppError)) throw error;
    // It never had revisions.
    if (error.code === "not_found") return;
    throw new AppError(
      error.code,
      `the flow '${id}' is deleted, but its revisions are still kept, so send the DELETE with purge=true again: ${error.message}`,
    );
  }
}
