/** Carries out what flows' threads ask of the state store, for the flow that a thread belongs to. */
import type { FlowManifest } from "../../shared/manifest.ts";
import { repositoryKindOf, type StateUse, valueForm } from "../../shared/state.ts";
import type { GroupsRequest, StateRequest } from "../threads/pooled-flow.ts";
import { type Owner, StateFailure } from "./operations.ts";
import type { StateStore } from "./state-store.ts";
import { type Asker as GroupAsker, type GroupSurroundings, ThreadGroups } from "./thread-groups.ts";

/** The deployment that asks. */
interface Asker extends Owner {
  readonly manifest: FlowManifest;
}

export class ThreadState {
  readonly #store: StateStore;
  readonly #groups: ThreadGroups;

  constructor(store: StateStore, around: GroupSurroundings) {
    this.#store = store;
    this.#groups = new ThreadGroups(store, around);
  }

  /** Throws for a repository that the flow does not declare. */
  ask(asker: Asker, request: StateRequest): void {
    const { name, operation } = request;
    const kind = repositoryKindOf(operation);
    const use = asker.manifest.state?.find((one) => one.name === name && one.kind === kind);
    if (use === undefined) throw new Error("it asks for a repository that its flow does not have");
    const { counts } = this.#store;
    counts.asked(asker.flowId, operation);
    this.#carryOut(asker, use, request).then(request.reply, (error: unknown) => {
      const code = error instanceof StateFailure ? error.code : "store_failed";
      counts.failed(asker.flowId, code);
      request.refuse(code, error instanceof Error ? error.message : String(error));
    });
  }

  /** Throws for a repository of groups that the flow does not declare. */
  askGroups(asker: GroupAsker, request: GroupsRequest): void {
    const { name } = request;
    const use = asker.manifest.state?.find((one) => one.name === name && one.kind === "aggregation");
    if (use === undefined) throw new Error("it asks for groups that its flow does not have");
    const { counts } = this.#store;
    counts.asked(asker.flowId, request.operation);
    this.#groups.carryOut(asker, use, request).then(
      (answer) => (typeof answer === "string" ? request.reply(answer) : request.deliver(answer)),
      (error: unknown) => {
        const code = error instanceof StateFailure ? error.code : "store_failed";
        counts.failed(asker.flowId, code);
        request.refuse(code, error instanceof Error ? error.message : String(error));
      },
    );
  }

  /** Frees what a thread has claimed. */
  abandon(asker: GroupAsker, claimant: number): void {
    const { flowId, incarnation } = asker;
    this.#store.keys.abandon({ flowId, incarnation }, claimant).catch(() => {
      // The store's thread is gone, and all claims with it.
    });
    this.#groups.abandon(asker, claimant).catch(() => {
      // As above.
    });
  }

  async #carryOut({ flowId, incarnation }: Owner, { evicts }: StateUse, request: StateRequest): Promise<string> {
    const { operation, name, key, claimant, earlier, runId, expected, value } = request;
    const owner = { flowId, incarnation };
    const { keys, values } = this.#store;
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
      case "get":
        return valueForm(await values.get(owner, name, key));
      case "putIf":
        return valueForm(await values.putIf(owner, name, key, expected, value, evicts));
      case "delete":
        await values.delete(owner, name, key);
        return "";
      default:
        return operation satisfies never;
    }
  }
}
