/** What flows keep between their messages: shown and removed for the management API, and removed after flows that are gone. */
import { AppError } from "../../shared/errors.ts";
import { type RepositoryKind, secretKey, stateKey } from "../../shared/state.ts";
import { type Owner, StateFailure } from "../state/operations.ts";
import type { StateStore } from "../state/state-store.ts";
import type { FlowStore } from "../stores/stores.ts";
import { missing } from "./flow-files.ts";
import type { FlowRegister } from "./flow-register.ts";
import type { LiveFlows } from "./live-flows.ts";

/** An entry of `GET /_api/flows/:id/state`. */
export interface StateSummary {
  readonly kind: RepositoryKind;
  readonly name: string;
  /** null: the route's `from`, or no step of the flow as it is now. */
  readonly stepId: string | null;
  readonly keys: number;
  readonly bytes: number;
  /** When its oldest key was stored, ISO 8601, UTC; null: it has none. */
  readonly oldest: string | null;
}

/** An entry of `GET /_api/flows/:id/state/:name`. */
export interface StateKey {
  readonly key: string;
  /** true: the key is the digest of a text that is long or holds the value of a secret. */
  readonly digest?: true;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The run that has stored it; null: no run did. */
  readonly runId: string | null;
  /** Of a repository of the kind `values`. */
  readonly value?: string;
}

interface Parts {
  readonly state: Pick<StateStore, "repositories">;
  readonly store: Pick<FlowStore, "read">;
  readonly register: Pick<FlowRegister, "get">;
  /** Returns what keys of the flow are digested with that hold a secret. */
  keySalt(flowId: string): string;
  /** Notifies the flow's threads that keys are gone. `key` "": all of the repository. */
  forgotten(flowId: string, name: string, key: string): void;
}

/** Every method throws AppError: not_found, store_failed, disk_full. */
export class KeptState {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Lists the repositories that the flow declares, and those that earlier revisions have left. */
  async list(flowId: string): Promise<readonly StateSummary[]> {
    const owner = await this.#owner(flowId);
    const kept = await this.#ask(this.#parts.state.repositories.list(owner));
    const declared = this.#parts.register.get(flowId)?.manifest?.state ?? [];
    const steps = new Map(declared.map(({ name, stepId }) => [name, stepId === "" ? null : stepId]));
    const empty = declared.filter(({ name }) => !kept.some((one) => one.name === name));
    const listed = [
      ...kept.map(({ oldest, ...one }) => ({ ...one, oldest: oldest === undefined ? null : timeOf(oldest) })),
      ...empty.map(({ kind, name }) => ({ kind, name, keys: 0, bytes: 0, oldest: null })),
    ];
    return listed
      .map(({ kind, name, ...rest }) => ({ kind, name, stepId: steps.get(name) ?? null, ...rest }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Lists keys that begin with `prefix`; digests of longer ones only without a prefix. */
  async keys(flowId: string, name: string, prefix: string, limit: number): Promise<readonly StateKey[]> {
    const owner = await this.#owner(flowId);
    const asked = prefix === "" ? "" : `=${prefix}`;
    const found = await this.#ask(this.#parts.state.repositories.keys(owner, name, asked, limit));
    if (found === undefined && !this.#declares(flowId, name)) throw noRepository(flowId, name);
    return (found ?? []).map(({ key, at, run, value }) => ({
      key: key.slice(key.startsWith("=") ? 1 : 0),
      ...(!key.startsWith("=") && { digest: true as const }),
      at: timeOf(at),
      runId: run === "" ? null : run,
      ...(value !== null && { value }),
    }));
  }

  /** Removes a repository's keys. Returns their number. */
  async remove(flowId: string, name: string): Promise<number> {
    const owner = await this.#owner(flowId);
    const removed = await this.#ask(this.#parts.state.repositories.remove(owner, name));
    if (removed === undefined && !this.#declares(flowId, name)) throw noRepository(flowId, name);
    this.#parts.forgotten(flowId, name, "");
    return removed ?? 0;
  }

  /** Removes one key: the text, or a digest as `keys` lists it. */
  async removeKey(flowId: string, name: string, key: string): Promise<number> {
    const owner = await this.#owner(flowId);
    const forms = [stateKey(key), secretKey(key, this.#parts.keySalt(flowId)), ...(key.startsWith("#") ? [key] : [])];
    for (const kept of forms) {
      const removed = await this.#ask(this.#parts.state.repositories.removeKey(owner, name, kept));
      if (removed === undefined && !this.#declares(flowId, name)) throw noRepository(flowId, name);
      if (removed !== 1) continue;
      this.#parts.forgotten(flowId, name, kept);
      return removed;
    }
    throw new AppError("not_found", `'${name}' of the flow '${flowId}' has no key '${key.slice(0, 200)}'`);
  }

  #declares(flowId: string, name: string): boolean {
    return this.#parts.register.get(flowId)?.manifest?.state?.some((use) => use.name === name) === true;
  }

  async #owner(flowId: string): Promise<Owner> {
    const entry = this.#parts.register.get(flowId);
    const incarnation =
      entry?.deployment?.pool.incarnation ?? (await this.#parts.store.read(flowId))?.head?.incarnation;
    if (incarnation === undefined) throw missing(flowId, entry);
    return { flowId, incarnation };
  }

  async #ask<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof StateFailure)) throw error;
      throw new AppError(error.code === "disk_full" ? "disk_full" : "store_failed", error.message);
    }
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function noRepository(flowId: string, name: string): AppError {
  const see = `GET /_api/flows/${flowId}/state lists them`;
  return new AppError("not_found", `the flow '${flowId}' keeps nothing as '${name.slice(0, 200)}': ${see}`);
}

interface StatesOfGone {
  readonly state: Pick<StateStore, "owners">;
  readonly store: Pick<FlowStore, "incarnation">;
  readonly live: Pick<LiveFlows, "get">;
}

/** Removes what flows had kept that are gone, where their DELETE did not come to it. `owners`: those that a group's file has something of. What cannot be decided or removed stays until the file is opened again. */
export async function forgetGone(owners: readonly Owner[], { state, store, live }: StatesOfGone): Promise<void> {
  for (const owner of owners) {
    const { flowId, incarnation } = owner;
    if (live.get(flowId)?.pool.incarnation === incarnation) continue;
    try {
      const current = await store.incarnation(flowId);
      if (current !== undefined && current > incarnation) await state.owners.forget(owner);
    } catch {
      // The next opening tries again.
    }
  }
}
