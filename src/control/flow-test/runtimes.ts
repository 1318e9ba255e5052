/** Where tests run: in a runtime of their own, or in an existing one. */
import { ApiError, type BulkheadClient, type components, createClient, orThrow } from "../../client/index.ts";
import { renderDiagnostic } from "../../shared/diagnostic.ts";
import { externalDirectOf } from "../../shared/external-direct.ts";
import { putDocument, removeDocument } from "./documents.ts";
import { type EmbeddedApp, type EmbeddedOptions, startEmbeddedApp } from "./embedded-app.ts";
import type { FlowSources } from "./flow-sources.ts";
import type { TestFile } from "./test-file.ts";

export interface TestRuntime {
  readonly api: BulkheadClient;
  /** Prepares the file's flows and documents; returns notes for the tester. Throws ApiError, BadFile, UnreachableError. */
  prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]>;
  /** Removes what `prepare` has installed. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A runtime for the time of the tests: a file's flows and documents are installed before its tests, and removed after
 * them.
 */
export class EmbeddedRuntime implements TestRuntime {
  readonly api: BulkheadClient;
  readonly #app: EmbeddedApp;
  /** What removes what was installed, in the order of installation. */
  readonly #installed: (() => Promise<unknown>)[] = [];

  /** Throws BadFile. */
  static async start(options: EmbeddedOptions): Promise<EmbeddedRuntime> {
    return new EmbeddedRuntime(await startEmbeddedApp(options));
  }

  private constructor(app: EmbeddedApp) {
    this.api = createClient(app);
    this.#app = app;
  }

  async prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]> {
    const flows = sources.flows(file);
    const documents = sources.documents(file);
    for (const [name, value] of Object.entries(file.secrets ?? {})) this.#app.secrets.set(name, value);
    for (const { path, text } of documents) {
      this.#installed.push(() => removeDocument(this.api, path));
      await nameInstalled(path, putDocument(this.api, path, text));
    }
    const notes: string[] = [];
    for (const [id, yaml] of flows) {
      this.#installed.push(() =>
        this.api.DELETE("/_api/flows/{id}", { params: { path: { id }, query: { purge: true, drainMs: 0 } } }),
      );
      notes.push(...(await this.#deploy(id, { ...sources.options(file, id), yaml })));
    }
    return notes;
  }

  async release(): Promise<void> {
    // What was refused was not installed.
    for (const remove of this.#installed.splice(0).reverse()) await remove().catch(() => undefined);
    this.#app.secrets.clear();
  }

  close(): Promise<void> {
    return this.#app.close();
  }

  /** Deploys a flow; returns notes for the tester. */
  async #deploy(id: string, document: FlowDocument): Promise<readonly string[]> {
    const params = { path: { id } };
    const put = orThrow(this.api.PUT("/_api/flows/{id}", { params, body: document }));
    const answer = nameInstalled(`the flow '${id}'`, put).catch(async (error: unknown) => {
      throw error instanceof ApiError && error.code === "flow_invalid" ? await this.#allProblems(id, document) : error;
    });
    // The test will show whether the other flow exists.
    const warnings = (await answer).warnings.filter((warning) => externalDirectOf(warning) === undefined);
    return warnings.map(({ message }) => `${id}: ${message}`);
  }

  /** Returns the refusal with all problems: the first one had only as many as an error body has room for. */
  async #allProblems(id: string, document: FlowDocument): Promise<ApiError> {
    const params = { path: { id } };
    const { diagnostics } = await orThrow(this.api.POST("/_api/flows/{id}/validate", { params, body: document }));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const lines = errors.map((one) => renderDiagnostic(`${id}.yaml`, one));
    return new ApiError(422, "flow_invalid", [`the flow '${id}' cannot be installed:`, ...lines].join("\n"));
  }
}

type FlowDocument = components["schemas"]["FlowDocumentInput"];

async function nameInstalled<Answer>(what: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error) error.message = `${what} cannot be installed: ${error.message}`;
    throw error;
  }
}

/** An existing runtime: its flows are tested as they are deployed, and nothing is changed. */
export class RemoteRuntime implements TestRuntime {
  readonly api: BulkheadClient;

  constructor(url: string, token: string) {
    this.api = createClient({ url, token });
  }

  async prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]> {
    const notes: string[] = [];
    for (const id of file.flows) {
      const { deployedHash, state } = await this.#flow(id);
      const own = sources.hash(id);
      if (deployedHash === null)
        throw new ApiError(409, "unknown", `the flow '${id}' does not run at ${this.api.url}: it is ${state}`);
      if (own !== undefined && own !== deployedHash)
        notes.push(
          `the flow '${id}' at ${this.api.url} differs from ${sources.directory}/${id}.yaml: that one is tested`,
        );
    }
    for (const key of ["params", "limits", "documents", "secrets"] as const)
      if (file[key] !== undefined) notes.push(`'${key}' is not used: at ${this.api.url} nothing is installed`);
    return notes;
  }

  async release(): Promise<void> {}

  async close(): Promise<void> {}

  async #flow(id: string): Promise<{ readonly deployedHash: string | null; readonly state: string }> {
    const { data, error } = await this.api.GET("/_api/flows/{id}", { params: { path: { id } } });
    if (data !== undefined) return data;
    if (error.status !== 404) throw error;
    throw new ApiError(404, error.code, `there is no flow '${id}' at ${this.api.url}: deploy it first`);
  }
}
