/** Carries out a stop or a DELETE whose turn has come. Both end the flow's deployment; DELETE also removes the file. */
import { AppError } from "../../shared/errors.ts";
import { type FlowOptions, optionsOf } from "../stores/flow-options.ts";
import { assertPreconditions, currentOf } from "../stores/refusals.ts";
import type { FlowStore, FlowText } from "../stores/stores.ts";
import type { Deployer } from "./deployer.ts";
import { isOwnFile, missing, refuseProblem } from "./flow-files.ts";
import type { DeleteAnswer, RemoveOptions } from "./flow-service.ts";

/** `options`: of a file that was never loaded. Throws AppError: flow_invalid (a file that cannot be loaded has nothing to stop), store_failed, disk_full. */
export async function stopFlow(deployer: Deployer, text: FlowText, options: FlowOptions): Promise<void> {
  const { id } = text;
  const { store, register, events } = deployer.parts;
  const kept = await keepStopped(store, text, options, register.get(id)?.deployment !== undefined);
  const { draining, done } = deployer.unroute(id, undefined);
  register.update(id, {
    state: draining > 0 ? "Stopping" : "Stopped",
    deployment: undefined,
    error: undefined,
    ...kept,
  });
  const stopping = register.get(id);
  void done.then(() => {
    // Skipped when the flow was changed meanwhile.
    if (register.get(id) === stopping) register.update(id, { state: "Stopped" });
  });
  events.stopped(id);
}

/** Stores that the flow must not run. A file that was never loaded becomes a revision first, since revisions hold this state. */
async function keepStopped(
  store: FlowStore,
  text: FlowText,
  options: FlowOptions,
  runs: boolean,
): Promise<{ readonly hash?: string; readonly revision?: number }> {
  const { id, yaml, head, problem } = text;
  if (!runs) refuseProblem(text);
  if (head === null && problem === undefined) {
    const { hash, revision } = await store.keep(id, { yaml, ...optionsOf(options), state: "stopped" });
    return { hash, revision };
  }
  await store.setState(id, "stopped");
  return {};
}

/** Throws AppError: not_found, flow_invalid (a file that is no flow), precondition_failed, store_failed, disk_full. */
export async function removeFlow(
  deployer: Deployer,
  id: string,
  { drainMs, purge = false, keepState = false, keepFile = false, ifMatch }: RemoveOptions,
): Promise<DeleteAnswer> {
  const { store, register, claims, checks, events } = deployer.parts;
  const text = await store.read(id);
  const known = register.get(id) !== undefined;
  if (text !== undefined && !isOwnFile(text) && !known) refuseProblem(text);
  const file = text !== undefined && isOwnFile(text) ? text : undefined;
  const there = known || (file !== undefined && !keepFile);
  // The revisions of a flow that is deleted already can still be forgotten.
  if (!there && !purge) throw missing(id, undefined);
  assertPreconditions(currentOf(file), ifMatch, undefined);
  const incarnation = await store.incarnation(id);
  // Unlink first: a flow that is gone from the disk must not come back with the next start.
  if (file !== undefined) await store.remove(id, { keepState, keepFile });
  const { draining, done } = deployer.unroute(id, drainMs);
  claims.free(id);
  checks.forget(id);
  register.delete(id);
  if (there) events.deleted(id);
  // The runs that are under way may still change what the flow keeps.
  if (!keepState) void done.then(() => forgetState(deployer, id, incarnation));
  if (purge) await forgetRevisions(store, id, { deleted: there, keepState, keepFile });
  return { id, deleted: true, draining, ...(drainMs === undefined ? {} : await done) };
}

/** Runs after the flow is gone, so that a failure here is reported as a failure of the purge alone. */
async function forgetRevisions(
  store: FlowStore,
  id: string,
  { deleted, ...kept }: { readonly deleted: boolean; readonly keepState: boolean; readonly keepFile: boolean },
): Promise<void> {
  try {
    await store.remove(id, { purge: true, ...kept });
  } catch (error) {
    if (!deleted || !(error instanceof AppError)) throw error;
    // The flow never had revisions.
    if (error.code === "not_found") return;
    throw new AppError(
      error.code,
      `the flow '${id}' is deleted, but its revisions are still kept, so send the DELETE with purge=true again: ${error.message}`,
    );
  }
}

/** What stays after a failure belongs to no flow, and is removed when the group's file is next opened. */
export async function forgetState({ parts }: Deployer, flowId: string, incarnation: number | undefined): Promise<void> {
  if (incarnation === undefined) return;
  try {
    await parts.state.owners.forget({ flowId, incarnation });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    parts.events.warned(flowId, `what the deleted flow had kept could not be removed: ${why}`);
  }
}
