/**
 * What `run --dev` deploys of its folder beside the flows, which the runtime watches itself: documents, and companion files that were saved
 * alone. At the start, and when one of them is saved.
 */
import { ApiError, type BulkheadClient, orThrow, UnreachableError } from "../client/index.ts";
import { sayNews } from "./dev-news.ts";
import { UsageError } from "./errors.ts";
import { sayFindings } from "./findings.ts";
import { checkProject } from "./offline-check.ts";
import { partsOf } from "./plan.ts";
import { type DocumentFile, type FlowFile, type Project, readProject, sourcesOf } from "./project.ts";
import { setOf } from "./set.ts";
import { plainText, type Terminal } from "./terminal.ts";
import { counted } from "./times.ts";

/** A person who saves a file does not wait longer. */
const lookEveryMs = 500;

export class DevFolder {
  readonly #terminal: Terminal;
  readonly #routes: string;
  readonly #api: BulkheadClient;
  readonly #timer: NodeJS.Timeout;
  /** The documents that were sent last, whether they were taken or not. */
  #sent = "";
  /** The companion files that were sent last, by the paths of their flows; undefined: none were looked at. */
  #companions: ReadonlyMap<string, string> | undefined;
  #looking: Promise<void> | undefined;

  /** Begins at once. */
  constructor(terminal: Terminal, routes: string, api: BulkheadClient) {
    this.#terminal = terminal;
    this.#routes = routes;
    this.#api = api;
    this.#timer = setInterval(() => this.#begin(), lookEveryMs);
    this.#begin();
  }

  /** Resolves when nothing is sent any more. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #begin(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async #look(): Promise<void> {
    const { flows, documents } = read(this.#routes);
    try {
      await this.#lookAtDocuments(documents);
      await this.#lookAtCompanions(flows);
    } catch (error) {
      // The runtime has ended, or is about to: its own words are shown.
      if (!(error instanceof UnreachableError)) throw error;
    }
  }

  async #lookAtDocuments(documents: readonly DocumentFile[]): Promise<void> {
    const texts = JSON.stringify(documents);
    if (documents.length === 0 || texts === this.#sent) return;
    this.#sent = texts;
    const refusal = await refusalOf(() => this.#deploy(documents));
    if (refusal !== undefined) await this.#sayRefused("documents", refusal, { flows: [], documents });
  }

  /** The runtime reports flows that it deploys. */
  async #lookAtCompanions(flows: readonly FlowFile[]): Promise<void> {
    const before = this.#companions;
    const accompanied = flows.filter(({ companion }) => companion !== undefined);
    this.#companions = new Map(accompanied.map(({ path, companion }) => [path, companion?.text ?? ""]));
    for (const flow of accompanied) {
      if (before?.get(flow.path) === flow.companion?.text) continue;
      const own = { flows: [flow], documents: [] };
      const refusal = await refusalOf(async () => {
        await orThrow(this.#api.POST("/_api/deployments", { body: await setOf(own, undefined) }));
      });
      // What is wrong with a flow at the start, its start reports.
      if (refusal !== undefined && before !== undefined) await this.#sayRefused(flow.id, refusal, own);
    }
  }

  async #deploy(documents: readonly DocumentFile[]): Promise<void> {
    const body = await setOf({ flows: [], documents }, undefined);
    const answer = await orThrow(this.#api.POST("/_api/deployments", { body }));
    const changed = partsOf(answer).filter(({ action }) => action !== "unchanged");
    for (const { name, revision, warnings } of changed) {
      sayNews(this.#terminal, { name, good: true, text: `revision ${revision} is in force` });
      for (const { code, message } of warnings) this.#terminal.say(`warning[${code}]: ${plainText(message)}`);
    }
    const policies = answer.policies.filter(({ action }) => action !== "unchanged").map(({ flowId }) => flowId);
    if (policies.length > 0) await this.#startWaiting(policies);
  }

  /** Starts flows that were refused for a fault in their policies. The runtime reports what comes of it. */
  async #startWaiting(policies: readonly string[]): Promise<void> {
    const flows = await orThrow(this.#api.GET("/_api/flows"));
    const waiting = flows.filter(
      ({ id, state, error = "" }) =>
        state === "Failed" && policies.includes(id) && error.includes(`documents/auth/${id}.json`),
    );
    for (const { id } of waiting) await this.#api.POST("/_api/flows/{id}/reload", { params: { path: { id } } });
  }

  async #sayRefused(name: string, why: string, project: Project): Promise<void> {
    const { findings } = await checkProject(project);
    const errors = findings.filter(({ severity }) => severity === "error");
    const text = errors.length === 0 ? why : counted(errors.length, "error");
    sayNews(this.#terminal, { name, good: false, text: `not deployed: ${plainText(text)}` });
    sayFindings(this.#terminal, errors, sourcesOf(project));
  }
}

/** Resolves with why the runtime, or this program, does not take it. */
async function refusalOf(deploy: () => Promise<void>): Promise<string | undefined> {
  try {
    await deploy();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError || error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Nothing: there is no folder of flows, or one of its files has just gone. */
function read(routes: string): Project {
  try {
    return readProject([routes]);
  } catch {
    return { flows: [], documents: [] };
  }
}
