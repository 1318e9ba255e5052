/** Carries out what flows' threads ask of the state store, for the flow that a thread belongs to. */
import type { FlowManifest } from "../../shared/manifest.ts";
import type { StateUse } from "../../shared/state.ts";
import type { StateRequest } from "../threads/pooled-flow.ts";
import { type Owner, StateFailure } from "./operations.ts";
import type { StateStore } from "./state-store.ts";

/** The deployment that asks. */
interface Asker extends Owner {
  readonly manifest: FlowManifest;
}

export class ThreadState {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  /** Throws for a repository that the flow does not declare. */
  ask(asker: Asker, request: StateRequest): void {
    const { name } = request;
    const use = asker.manifest.state?.find((one) => one.name === name);
    if (use === undefined) throw new Error("it asks for a repository that its flow does not have");
    const { counts } = this.#store;
    counts.asked(asker.flowId, request.operation);
    this.#carryOut(asker, use, request).then(request.reply, (error: unknown) => {
      const code = error instanceof StateFailure ? error.code : "store_failed";
      counts.failed(asker.flowId, code);
      request.refuse(code, error instanceof Error ? error.message : String(error));
    });
  }

  /** Frees what a thread has claimed. */
  abandon({ flowId, incarnation }: Owner, claimant: number): void {
    this.#store.keys.abandon({ flowId, incarnation }, claimant).catch(() => {
      // The store's thread is gone, and all claims with it.
    });
  }

  async #carryOut({ flowId, incarnation }: Owner, { evicts }: StateUse, request: StateRequest): Promise<string> {
    const { operation, name, key, claimant, earlier, runId } = request;
    const owner = { flowId, incarnation };
    const { keys } = this.#store;
    switch (operation) {
      case "claim":
        return keys.claim(owner, name, key, claimant, evicts, earlier);
      case "look":
        return keys.look(owner, name, key, earlier);
      case "confirm":
        await keys.confirm(owner, name, key, evicts, runId);
        return "";
      case "release":
        await keys.release(owner, name, key);
        return "";
      default:
        return operation satisfies never;
    }
  }
}
