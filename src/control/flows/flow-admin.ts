/** The management of flows: what the API asks for, answered from the store, the register and the deployer, one queue per flow. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowFile, FlowStore, FlowText } from "../stores/stores.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { Deployer, DeployOrder } from "./deployer.ts";
import { newDeployment } from "./deployment.ts";
import { flowsHealth } from "./flow-health.ts";
import { finishSwap, putFlow } from "./flow-put.ts";
import type { FlowEntry, FlowRegister } from "./flow-register.ts";
import type {
  DeleteAnswer,
  FlowDetail,
  FlowDocument,
  FlowService,
  FlowSummary,
  FlowsHealth,
  PutAnswer,
  PutOptions,
  ValidateAnswer,
} from "./flow-service.ts";
import { summaryOf } from "./flow-summary.ts";
import { planOf } from "./plan.ts";
import { assertPreconditions } from "./preconditions.ts";

export class FlowAdmin implements FlowService {
  readonly #deployer: Deployer;
  readonly #store: FlowStore;
  readonly #register: FlowRegister;
  readonly #changes: ChangeQueue;
  #failedFiles: readonly FlowFile[] = [];

  constructor(deployer: Deployer, changes: ChangeQueue) {
    this.#deployer = deployer;
    this.#changes = changes;
    this.#store = deployer.parts.store;
    this.#register = deployer.parts.register;
  }

  async list(): Promise<readonly FlowSummary[]> {
    const files = await this.#store.list();
    this.#failedFiles = files.filter(({ problem }) => problem !== undefined);
    return files
      .map((file) => summaryOf(file, this.#register.get(file.id), this.#register.loading))
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  async get(id: string): Promise<FlowDetail> {
    const text = await this.#read(id);
    const entry = this.#register.get(id);
    const usage = await entry?.deployment?.hosted.usage();
    const { cpuMs = 0, heapBytes = 0, inflight = 0, queued = 0 } = usage ?? {};
    return {
      ...summaryOf(text, entry, this.#register.loading),
      yaml: text.yaml,
      params: text.head?.params ?? {},
      limits: text.head?.limits ?? {},
      usage: { cpuMs, heapBytes, inflight, queued },
    };
  }

  put(id: string, document: FlowDocument, options: PutOptions): Promise<PutAnswer> {
    return this.#change(id, async () => {
      const text = await this.#store.read(id);
      assertPreconditions(currentOf(text), options.ifMatch, options.ifNoneMatch);
      const { yaml, params = {}, limits = {} } = document;
      return putFlow(this.#deployer, text, { flowId: id, yaml, params, limits, startAll: false }, options);
    });
  }

  async validate(id: string, { yaml, params = {}, limits: overrides = {} }: FlowDocument): Promise<ValidateAnswer> {
    const { checks, settings } = this.#deployer.parts;
    const problem = refusalOf(() => settings(overrides));
    const { limits } = settings(problem === undefined ? overrides : {});
    const { flow, diagnostics } = await checks.check({ flowId: id, yaml, params, limits });
    return {
      valid: flow !== undefined && problem === undefined,
      routeCount: flow?.model.routes.length ?? 0,
      diagnostics: problem === undefined ? diagnostics : [...diagnostics, problem],
      plan: planOf(this.#register.get(id)?.deployment?.manifest, flow?.manifest),
    };
  }

  remove(id: string, { drainMs, purge, ifMatch }: Parameters<FlowService["remove"]>[1]): Promise<DeleteAnswer> {
    return this.#change(id, async () => {
      const text = await this.#store.read(id);
      // A flow whose file was removed by hand still runs.
      if (text === undefined && this.#register.get(id) === undefined) throw unknown(id);
      assertPreconditions(currentOf(text), ifMatch, undefined);
      // Unlink first: a flow that is gone from the disk must not come back with the next start.
      if (text !== undefined) await this.#store.remove(id, { purge });
      const { draining, done } = this.#deployer.unroute(id, drainMs);
      this.#deployer.parts.claims.free(id);
      this.#register.delete(id);
      this.#deployer.parts.events.deleted(id);
      return { id, deleted: true, draining, ...(drainMs === undefined ? {} : await done) };
    });
  }

  start(id: string): Promise<FlowDetail> {
    return this.#change(id, async () => {
      const text = await this.#read(id);
      const entry = this.#register.get(id);
      if (entry?.state === "Started" && entry.deployment?.hosted.quarantinedMs === 0) this.#startAll(entry);
      else await finishSwap(this.#deployer, await this.#deployer.deploy(orderOf(id, text, true)), undefined);
      return this.get(id);
    });
  }

  stop(id: string): Promise<FlowDetail> {
    return this.#change(id, async () => {
      await this.#read(id);
      await this.#store.setState(id, "stopped");
      const { draining, done } = this.#deployer.unroute(id, undefined);
      const state = draining > 0 ? "Stopping" : "Stopped";
      this.#register.update(id, { state, deployment: undefined, error: undefined });
      const stopping = this.#register.get(id);
      void done.then(() => {
        // Unless it was changed meanwhile.
        if (this.#register.get(id) === stopping) this.#register.update(id, { state: "Stopped" });
      });
      this.#deployer.parts.events.stopped(id);
      return this.get(id);
    });
  }

  reload(id: string): Promise<PutAnswer> {
    return this.#change(id, async () => {
      const text = await this.#read(id);
      if (text.problem !== undefined) throw new AppError("flow_invalid", `${text.file}: ${text.problem}`);
      const { params = {}, limits = {} } = text.head ?? {};
      return putFlow(this.#deployer, text, { flowId: id, yaml: text.yaml, params, limits, startAll: false }, {});
    });
  }

  health(): FlowsHealth {
    return flowsHealth(this.#register, this.#failedFiles, !this.#changes.closed);
  }

  /** What is changed is not among the files that could not be loaded, unless the next listing finds it there. */
  async #change<T>(id: string, work: () => Promise<T>): Promise<T> {
    const result = await this.#changes.change(id, work);
    this.#failedFiles = this.#failedFiles.filter((file) => file.id !== id);
    return result;
  }

  /** Starts the routes that wait for it; the threads that run the others go on. */
  #startAll({ id, deployment }: FlowEntry): void {
    if (deployment === undefined || deployment.startAll) return;
    const { flowId, hash, revision, hosted } = deployment;
    const started = newDeployment({ flowId, hash, revision, hosted, startAll: true });
    this.#deployer.parts.live.swap(id, started);
    this.#register.update(id, { deployment: started });
  }

  async #read(id: string): Promise<FlowText> {
    const text = await this.#store.read(id);
    if (text === undefined) throw unknown(id);
    return text;
  }
}

function currentOf(text: FlowText | undefined): { hash: string; revision: number | null } | undefined {
  return text === undefined ? undefined : { hash: text.hash, revision: text.head?.revision ?? null };
}

/** The revision that was kept last, as an order to run it again. */
function orderOf(flowId: string, { head, yaml }: FlowText, startAll: boolean): DeployOrder {
  if (head === null) return { flowId, yaml, params: {}, limits: {}, startAll };
  return { flowId, yaml: head.yaml, params: head.params, limits: head.limits, stored: head, startAll };
}

function unknown(id: string): AppError {
  return new AppError("not_found", `there is no flow '${id}'`);
}

/** The AppError that `work` throws, as a problem of the document; other errors pass. */
function refusalOf(work: () => unknown): Diagnostic | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const nowhere = { line: null, column: null, endLine: null, endColumn: null, routeId: null, stepId: null };
    return { severity: "error", code: error.code, message: error.message, pointer: "", ...nowhere };
  }
}
