/** Carries out what flows' threads ask of the state store about groups of their `aggregate` steps. */
import type { StateUse } from "../../shared/state.ts";
import type { GroupsRequest, PooledFlow } from "../threads/pooled-flow.ts";
import type { Added, MessageFailure, NewMessage } from "./failed-operations.ts";
import type { Owner } from "./operations.ts";
import type { StateStore } from "./state-store.ts";

export type Asker = Pick<PooledFlow, "flowId" | "incarnation" | "revision" | "keepsFailed" | "manifest">;

/** What control has for groups beside the store. */
export interface GroupSurroundings {
  /** Returns the content of a failed message that begins with a step. */
  content(entry: string, bytes: Uint8Array): Pick<NewMessage, "form" | "head" | "body" | "alike">;
  /** Makes the id of a failed message. */
  newId(flowId: string): string;
  /** A completed group has become a failed message. */
  kept(flowId: string, added: Added): void;
  /** Notifies the flow's threads that groups of the repository have changed. */
  changed(flowId: string, name: string): void;
}

export class ThreadGroups {
  readonly #store: Pick<StateStore, "groups">;
  readonly #around: GroupSurroundings;

  constructor(store: Pick<StateStore, "groups">, around: GroupSurroundings) {
    this.#store = store;
    this.#around = around;
  }

  async carryOut(asker: Asker, use: StateUse, request: GroupsRequest): Promise<string | Uint8Array> {
    const { operation, name, about, claimant, message } = request;
    const { group, fingerprint, groups } = about;
    const owner = ownerOf(asker);
    const store = this.#store.groups;
    switch (operation) {
      case "open":
        return store.open(owner, name, claimant, fingerprint);
      case "read":
        return store.read(
          owner,
          name,
          groups.map(([id, from]) => [id, from]),
        );
      case "append": {
        const { key, messages, deadline, by } = about;
        const joining = { group, key, messages, deadline, by, others: groups, fingerprint };
        return store.append(owner, name, claimant, joining, message);
      }
      case "complete":
        return store.complete(owner, name, claimant, groups);
      case "drop":
        await store.drop(
          owner,
          name,
          groups.map(([id]) => id),
        );
        return "";
      case "fail":
        await this.#fail(asker, use, request);
        return "";
      default:
        return operation satisfies never;
    }
  }

  /** A thread is gone. The completed groups that it had are run by the next one, or by the one that serves. */
  async abandon(asker: Asker, claimant: number): Promise<void> {
    if (asker.manifest.state?.some(({ kind }) => kind === "aggregation") !== true) return;
    for (const name of await this.#store.groups.abandon(ownerOf(asker), claimant)) {
      this.#around.changed(asker.flowId, name);
    }
  }

  async #fail(asker: Asker, { routeId, stepId }: StateUse, request: GroupsRequest): Promise<void> {
    const { name, about, message, runId } = request;
    const { flowId, revision, keepsFailed } = asker;
    const owner = ownerOf(asker);
    if (!keepsFailed) return this.#store.groups.drop(owner, name, [about.group]);
    const at = Date.now();
    const trigger = JSON.stringify({ kind: "aggregate", uri: `aggregate:${stepId}` });
    const facts = { id: this.#around.newId(flowId), routeId, revision, at, runId, trigger };
    const { type, message: text } = about.error ?? { type: "java.lang.RuntimeException", message: "" };
    const error = JSON.stringify({ type, message: text, stepId: null, line: null });
    const failure: MessageFailure = { runId, at, error, deadLetter: false };
    const content = this.#around.content(stepId, message);
    const added = await this.#store.groups.fail(owner, name, about.group, { ...facts, ...content }, failure);
    this.#around.kept(flowId, added);
  }
}

function ownerOf({ flowId, incarnation }: Owner): Owner {
  return { flowId, incarnation };
}
