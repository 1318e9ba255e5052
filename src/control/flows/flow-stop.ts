/** A stop, once its turn has come. */
import type { FlowStore, FlowText } from "../stores/stores.ts";
import type { Deployer } from "./deployer.ts";
import { refuseProblem } from "./flow-file.ts";

/** Throws AppError: flow_invalid (a file that cannot be loaded has nothing to stop), store_failed, disk_full. */
export async function stopFlow(deployer: Deployer, text: FlowText): Promise<void> {
  const { id } = text;
  const { store, register, events } = deployer.parts;
  const kept = await keepStopped(store, text, register.get(id)?.deployment !== undefined);
  const { draining, done } = deployer.unroute(id, undefined);
  register.update(id, {
    state: draining > 0 ? "Stopping" : "Stopped",
    deployment: undefined,
    error: undefined,
    ...kept,
  });
  const stopping = register.get(id);
  void done.then(() => {
    // Unless it was changed meanwhile.
    if (register.get(id) === stopping) register.update(id, { state: "Stopped" });
  });
  events.stopped(id);
}

/** A file that was never loaded becomes a revision, which is where it is kept that it must not run. */
async function keepStopped(
  store: FlowStore,
  text: FlowText,
  runs: boolean,
): Promise<{ readonly hash?: string; readonly revision?: number }> {
  const { id, yaml, head, problem } = text;
  if (!runs) refuseProblem(text);
  if (head === null && problem === undefined) {
    const { hash, revision } = await store.keep(id, { yaml, params: {}, limits: {}, state: "stopped" });
    return { hash, revision };
  }
  await store.setState(id, "stopped");
  return {};
}
