/** Answers the management API about flows from the store, the register and the deployer; changes of a flow wait in one queue. */

import { AppError } from "../../shared/errors.ts";
import { stepEffects } from "../../shared/manifest.ts";
import { changeOptions, type FlowOptions, noOptions, optionsOf } from "../stores/flow-options.ts";
import type { QueuePlace } from "../stores/keyed-queue.ts";
import { assertPreconditions, currentOf } from "../stores/refusals.ts";
import type { FlowFile, FlowStore, FlowText, StoredRevision } from "../stores/stores.ts";
import type { ChangeQueue } from "./change-queue.ts";
import type { Companions } from "./companions.ts";
import type { Alongside, DeployOrder } from "./deploy-order.ts";
import type { Deployer } from "./deployer.ts";
import { FailedFiles, isOwnFile, missing, refuseOtherFile, refuseProblem } from "./flow-files.ts";
import { putFlow, validateFlow } from "./flow-put.ts";
import type { FlowEntry, FlowRegister } from "./flow-register.ts";
import { flowsHealth, goneSummary, reportOptions, revisionOf, summariesOf, summaryOf } from "./flow-reports.ts";
import type {
  AdoptOptions,
  DeleteAnswer,
  FlowDetail,
  FlowDocument,
  FlowService,
  FlowSummary,
  FlowsHealth,
  FlowUsages,
  PutAnswer,
  PutOptions,
  RemoveOptions,
  RevisionSummary,
  ValidateAnswer,
} from "./flow-service.ts";
import { removeFlow, stopFlow } from "./flow-teardown.ts";

export class FlowAdmin implements FlowService {
  readonly #deployer: Deployer;
  readonly #store: FlowStore;
  readonly #register: FlowRegister;
  readonly #changes: ChangeQueue;
  readonly #failedFiles: FailedFiles;
  readonly #usages: FlowUsages;
  readonly #companions: Companions;

  constructor(deployer: Deployer, changes: ChangeQueue, usages: FlowUsages, companions: Companions) {
    this.#companions = companions;
    this.#deployer = deployer;
    this.#usages = usages;
    this.#changes = changes;
    this.#store = deployer.parts.store;
    this.#register = deployer.parts.register;
    this.#failedFiles = new FailedFiles(deployer.parts, changes);
  }

  enter(id: string): QueuePlace {
    return this.#changes.enter(id);
  }

  async list(withUsage = false): Promise<readonly FlowSummary[]> {
    // A flow that is deployed meanwhile had no file when the directory was read, or is in the list already.
    const deployed = [...this.#register.all()].filter(({ deployment }) => deployment !== undefined);
    const files = await this.#failedFiles.look();
    if (withUsage) await this.#usages.refresh();
    const present = new Set(files.map(({ file }) => file));
    const gone = deployed
      .filter(({ id }) => !present.has(`${id}.yaml`))
      .flatMap((entry) => goneSummary(entry, this.#register) ?? []);
    return [...files.map((file) => this.#summary(file)), ...gone]
      .map((summary) => ({ ...summary, ...(withUsage && { usage: this.#usages.of(summary.id) }) }))
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  async get(id: string): Promise<FlowDetail> {
    const text = await this.#read(id);
    await this.#usages.refresh(id);
    const { deployment, manifest } = this.#register.get(id) ?? {};
    const quarantinedMs = deployment?.pool.quarantinedMs ?? 0;
    const lastKill = this.#usages.lastKill(id);
    return {
      ...this.#summary(text),
      yaml: text.yaml,
      effects: stepEffects(manifest?.steps ?? []),
      ...reportOptions(this.#deployer.parts.settings, text.head ?? noOptions, deployment),
      ...(text.head?.set !== undefined && { set: text.head.set }),
      usage: this.#usages.of(id),
      ...(quarantinedMs > 0 && { quarantinedUntil: new Date(Date.now() + quarantinedMs).toISOString() }),
      ...(lastKill && { lastKill }),
    };
  }

  put(id: string, { yaml, options: change }: FlowDocument, options: PutOptions): Promise<PutAnswer> {
    return this.#change(id, options.place, () => this.#put(id, yaml, (now) => changeOptions(now, change), options));
  }

  async revisions(id: string): Promise<readonly RevisionSummary[]> {
    const [text, kept] = await Promise.all([this.#store.read(id), this.#store.revisions(id)]);
    const entry = this.#register.get(id);
    if (text === undefined && entry === undefined && kept.length === 0) throw missing(id, undefined);
    return summariesOf(kept, text?.head, entry);
  }

  rollback(id: string, revision: number, options: PutOptions): Promise<PutAnswer> {
    return this.#change(id, options.place, async () => {
      const found = revisionOf(id, await this.#store.revisions(id), revision);
      return this.#put(id, found.yaml, () => optionsOf(found), options);
    });
  }

  validate(id: string, document: FlowDocument): Promise<ValidateAnswer> {
    return validateFlow(this.#deployer, id, document);
  }

  remove(id: string, options: RemoveOptions): Promise<DeleteAnswer> {
    return this.#change(id, options.place, () => removeFlow(this.#deployer, id, options));
  }

  start(id: string, options: AdoptOptions): Promise<FlowDetail> {
    return this.#change(id, options.place, async () => {
      const text = await this.#read(id);
      const entry = this.#register.get(id);
      if (entry?.state === "Started" && entry.deployment?.pool.quarantinedMs === 0) this.#startAll(entry);
      else {
        refuseProblem(text);
        if (text.head !== null) await this.#deployer.deploy(orderOf(id, text.head, true));
        else await this.#adopt(text, options, (adopted) => this.#deployer.deploy({ ...adopted, startAll: true }));
      }
      return this.get(id);
    });
  }

  stop(id: string, options: AdoptOptions): Promise<FlowDetail> {
    return this.#change(id, options.place, async () => {
      const text = await this.#read(id);
      if (text.head !== null || text.problem !== undefined) await stopFlow(this.#deployer, text, noOptions);
      else {
        await this.#adopt(text, options, async ({ alongside, ...adopted }) => {
          if (alongside !== undefined) await this.#deployer.keepAlongside(alongside);
          await stopFlow(this.#deployer, text, adopted);
        });
      }
      return this.get(id);
    });
  }

  reload(id: string, options: AdoptOptions): Promise<PutAnswer> {
    return this.#change(id, options.place, async () => {
      const text = await this.#read(id);
      refuseProblem(text);
      try {
        // Secrets may have changed although the text has not.
        const anew = (this.#register.get(id)?.manifest?.secrets.length ?? 0) > 0;
        return await this.#adopt(text, options, (order) => putFlow(this.#deployer, text, order, {}, anew));
      } catch (error) {
        this.#noteFailed(text, error);
        throw error;
      }
    });
  }

  /** Reads the directory again after a change that was made by others. */
  lookAgain(): Promise<void> {
    return this.#failedFiles.lookAgain();
  }

  lookedAt(files: readonly FlowFile[]): void {
    this.#failedFiles.take(files);
  }

  health(): FlowsHealth {
    return flowsHealth(this.#register, this.#failedFiles.all, this.#store.status());
  }

  ready(): boolean {
    return !this.#changes.closed && !this.#register.loading;
  }

  /** Does the work with the order to deploy a flow's file: with its companion, if it was edited and has one. Throws flow_invalid. */
  async #adopt<T>(
    text: FlowText,
    { beside, reported }: AdoptOptions,
    work: (order: DeployOrder) => Promise<T>,
  ): Promise<T> {
    const { id, yaml, head } = text;
    const { options, policy } = await this.#companions.of(this.#store, text);
    const order = { flowId: id, yaml, ...optionsOf(options), set: head?.set, startAll: false, reported };
    if (policy === undefined) return work(order);
    return beside(id, policy)((alongside) => work({ ...order, alongside }));
  }

  /** `change`: returns the options to deploy, from those that the flow has. */
  async #put(
    flowId: string,
    yaml: string,
    change: (now: FlowOptions) => FlowOptions,
    options: PutOptions,
  ): Promise<PutAnswer> {
    const text = await this.#store.read(flowId);
    refuseOtherFile(flowId, text);
    assertPreconditions(currentOf(text), options.ifMatch, options.ifNoneMatch);
    const order = { flowId, yaml, ...change(text?.head ?? noOptions), set: text?.head?.set, startAll: false };
    const put = (alongside?: Alongside): Promise<PutAnswer> =>
      putFlow(this.#deployer, text, { ...order, alongside }, options);
    return options.alongside === undefined ? put() : options.alongside(put);
  }

  #change<T>(id: string, place: QueuePlace | undefined, work: () => Promise<T>): Promise<T> {
    const change = async (): Promise<T> => {
      const result = await work();
      await this.#failedFiles.lookAgain();
      return result;
    };
    return this.#changes.change(id, change, place);
  }

  /** Lists a file that has not been loaded yet as one that does not load. */
  #noteFailed({ id, hash }: FlowText, error: unknown): void {
    const state = this.#register.get(id)?.state ?? "Failed";
    if (state === "Failed" && error instanceof AppError) {
      this.#register.update(id, { state, hash, error: error.message });
    }
  }

  #summary(file: FlowFile): FlowSummary {
    const entry = isOwnFile(file) ? this.#register.get(file.id) : undefined;
    return summaryOf(file, entry, this.#register.loading);
  }

  /** Starts all routes that do not run; the threads and the routes that run are left alone. */
  #startAll({ deployment }: FlowEntry): void {
    if (deployment === undefined) return;
    deployment.held = false;
    this.#deployer.parts.live.setRoutes(deployment, deployment.manifest.routes.keys(), "Started");
  }

  async #read(id: string): Promise<FlowText> {
    const text = await this.#store.read(id);
    if (text === undefined) throw missing(id, this.#register.get(id));
    return text;
  }
}

/** An order to deploy the last stored revision again. */
function orderOf(flowId: string, head: StoredRevision, startAll: boolean): DeployOrder {
  return { flowId, yaml: head.yaml, ...optionsOf(head), set: head.set, stored: head, startAll };
}
