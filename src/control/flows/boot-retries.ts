/** Starts flows again that have not started at boot for lack of time, or of a connection that comes later: neither must leave them Failed. */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, LateError } from "../../shared/errors.ts";
import type { StoredFlow } from "../stores/stores.ts";
import { BootLate } from "../threads/local/worker-pool.ts";
import { listFailed, orderOf, start, type UnstartedFlows } from "./boot-load.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { Deployer } from "./deployer.ts";
import { checkFlow } from "./flow-check.ts";

/** The pauses ahead of the attempts; a flow that has not started after the last one stays Failed. */
const pausesMs = [1000, 5000, 15_000, 60_000, 300_000];

export class BootRetries implements UnstartedFlows {
  readonly #deployer: Deployer;
  readonly #changes: ChangeQueue;
  readonly #late = new Set<string>();
  /** Flows that lack a connection. */
  readonly #unconnected = new Set<string>();

  constructor(deployer: Deployer, changes: ChangeQueue) {
    this.#deployer = deployer;
    this.#changes = changes;
  }

  /** The flow has not started. It is started again if only time, or a connection, was lacking. */
  note(flowId: string, error: unknown): void {
    if (error instanceof LateError || error instanceof BootLate) this.#late.add(flowId);
    if (error instanceof AppError && error.code === "connection_missing") this.#unconnected.add(flowId);
  }

  /** Called when connections have come, or have changed. */
  connectionsChanged(): void {
    const ids = [...this.#unconnected];
    this.#unconnected.clear();
    for (const id of ids) {
      const tried = this.#changes.boot(id, () => this.#connected(id));
      // Its file could not be read: the next change tries it again.
      void tried.catch(() => void this.#unconnected.add(id));
    }
  }

  async #connected(id: string): Promise<void> {
    const { store, register } = this.#deployer.parts;
    const text = register.get(id)?.state === "Failed" ? await store.read(id) : undefined;
    if (text === undefined || text.head === null || text.head.state === "stopped") return;
    await this.#again({ id, lastModified: text.lastModified, ...text.head }, "a connection is new or has changed");
  }

  /** Called after the boot load. Resolves when no flow is left to be started, or `stopped` is aborted. */
  async run(flows: readonly StoredFlow[], stopped: AbortSignal): Promise<void> {
    for (const ms of pausesMs) {
      await sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => {});
      if (stopped.aborted) return;
      // One that is stopped on the disk may not begin, even if its check was late.
      const late = flows.filter(({ id, state }) => this.#late.delete(id) && state !== "stopped");
      for (const flow of late)
        await this.#changes.boot(flow.id, () => this.#again(flow, "it has not started for lack of time"));
    }
  }

  /** Does nothing for a flow that was changed meanwhile. */
  async #again(flow: StoredFlow, why: string): Promise<void> {
    const { parts } = this.#deployer;
    const { id, revision } = flow;
    const entry = parts.register.get(id);
    if (entry?.state !== "Failed" || entry.revision !== revision) return;
    parts.events.warned(id, `${why}, and it is started again`);
    try {
      const checked = await checkFlow(parts, orderOf(flow));
      await start(this.#deployer, flow, checked, this);
    } catch (error) {
      listFailed(this.#deployer, id, error);
      this.note(id, error);
    }
  }
}
