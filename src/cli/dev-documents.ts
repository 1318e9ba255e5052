/** The documents of a folder that `run --dev` serves: deployed at its start, and again when one of them is saved. */
import { ApiError, type BulkheadClient, orThrow, UnreachableError } from "../client/index.ts";
import { sayNews } from "./dev-news.ts";
import { UsageError } from "./errors.ts";
import { sayFindings } from "./findings.ts";
import { checkProject } from "./offline-check.ts";
import { partsOf } from "./plan.ts";
import { type DocumentFile, readProject, sourcesOf } from "./project.ts";
import { setOf } from "./set.ts";
import { plainText, type Terminal } from "./terminal.ts";

/** A person who saves a document does not wait longer. */
const lookEveryMs = 500;

export class DevDocuments {
  readonly #terminal: Terminal;
  readonly #routes: string;
  readonly #api: BulkheadClient;
  readonly #timer: NodeJS.Timeout;
  /** What was sent last, whether it was taken or not. */
  #sent = "";
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
    const documents = readDocuments(this.#routes);
    const texts = JSON.stringify(documents);
    if (documents.length === 0 || texts === this.#sent) return;
    this.#sent = texts;
    try {
      await this.#deploy(documents);
    } catch (error) {
      // The runtime has ended, or is about to: its own words are shown.
      if (error instanceof UnreachableError) return;
      if (!(error instanceof ApiError || error instanceof UsageError)) throw error;
      await this.#sayRefused(documents, error.message);
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
    const names = answer.connections.filter(({ action }) => action !== "unchanged").map(({ name }) => name);
    if (names.length > 0) await this.#startWaiting(names);
  }

  /** Starts flows that were refused because a connection was missing. The runtime reports what comes of it. */
  async #startWaiting(connections: readonly string[]): Promise<void> {
    const flows = await orThrow(this.#api.GET("/_api/flows"));
    const waiting = flows.filter(
      ({ state, error = "" }) => state === "Failed" && connections.some((name) => error.includes(`'${name}'`)),
    );
    for (const { id } of waiting) await this.#api.POST("/_api/flows/{id}/reload", { params: { path: { id } } });
  }

  async #sayRefused(documents: readonly DocumentFile[], why: string): Promise<void> {
    sayNews(this.#terminal, { name: "documents", good: false, text: `not deployed: ${plainText(why)}` });
    const { findings } = await checkProject({ flows: [], documents });
    const errors = findings.filter(({ severity }) => severity === "error");
    sayFindings(this.#terminal, errors, sourcesOf({ flows: [], documents }));
  }
}

/** None: there is no folder of flows, or one of its files has just gone. */
function readDocuments(routes: string): readonly DocumentFile[] {
  try {
    return readProject([routes]).documents;
  } catch {
    return [];
  }
}
