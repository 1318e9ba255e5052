/** Where tests run: in a runtime of their own, or in an existing one. */
import { type Diagnostic, renderDiagnostic } from "../../shared/diagnostic.ts";
import { ApiClient, Refusal } from "./api-client.ts";
import { type EmbeddedApp, type EmbeddedOptions, startEmbeddedApp } from "./embedded-app.ts";
import type { FlowSources } from "./flow-sources.ts";
import type { TestFile } from "./test-file.ts";

export interface TestRuntime {
  readonly api: ApiClient;
  /** Prepares the file's flows and documents; returns notes for the tester. Throws Refusal, BadFile, Unreachable. */
  prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]>;
  /** Removes what `prepare` has installed. */
  release(): Promise<void>;
  close(): Promise<void>;
}

interface Warning {
  readonly code: string;
  readonly message: string;
}

/**
 * A runtime for the time of the tests: a file's flows and documents are installed before its tests, and removed after
 * them.
 */
export class EmbeddedRuntime implements TestRuntime {
  readonly api: ApiClient;
  readonly #app: EmbeddedApp;
  /** Paths below /_api of what was installed, in that order. */
  readonly #installed: string[] = [];

  /** Throws BadFile. */
  static async start(options: EmbeddedOptions): Promise<EmbeddedRuntime> {
    return new EmbeddedRuntime(await startEmbeddedApp(options));
  }

  private constructor(app: EmbeddedApp) {
    this.api = new ApiClient(app.url, app.token);
    this.#app = app;
  }

  async prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]> {
    const flows = sources.flows(file);
    const documents = sources.documents(file);
    for (const [name, value] of Object.entries(file.secrets ?? {})) this.#app.secrets.set(name, value);
    for (const { path, text } of documents) {
      this.#installed.push(path);
      await nameInstalled(path, this.api.send("PUT", `/${path}?strict=true`, { body: text, type: "application/json" }));
    }
    const notes: string[] = [];
    for (const [id, yaml] of flows) {
      const own = id === file.flow ? { params: file.params, limits: file.limits } : {};
      this.#installed.push(`flows/${id}`);
      notes.push(...(await this.#deploy(id, { yaml, ...own })));
    }
    return notes;
  }

  async release(): Promise<void> {
    for (const path of this.#installed.splice(0).reverse()) {
      const query = path.startsWith("flows/") ? "?purge=true&drainMs=0" : "";
      // What was refused was not installed.
      await this.api.call("DELETE", `/${path}${query}`).catch(() => undefined);
    }
    this.#app.secrets.clear();
  }

  close(): Promise<void> {
    return this.#app.close();
  }

  /** Deploys a flow; returns notes for the tester. */
  async #deploy(id: string, document: object): Promise<readonly string[]> {
    const put = this.api.call<{ readonly warnings: readonly Warning[] }>("PUT", `/flows/${id}`, document);
    const answer = nameInstalled(`the flow '${id}'`, put).catch(async (error: unknown) => {
      throw error instanceof Refusal && error.code === "flow_invalid" ? await this.#allProblems(id, document) : error;
    });
    // The test will show whether the other flow exists.
    const warnings = (await answer).warnings.filter(({ code }) => code !== "external_direct");
    return warnings.map(({ message }) => `${id}: ${message}`);
  }

  /** Returns the refusal with all problems: the first one had only as many as an error body has room for. */
  async #allProblems(id: string, document: object): Promise<Refusal> {
    const path = `/flows/${id}/validate`;
    const { diagnostics } = await this.api.call<{ readonly diagnostics: readonly Diagnostic[] }>(
      "POST",
      path,
      document,
    );
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const lines = errors.map((one) => renderDiagnostic(`${id}.yaml`, one));
    return new Refusal(422, "flow_invalid", [`the flow '${id}' cannot be installed:`, ...lines].join("\n"));
  }
}

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
  readonly api: ApiClient;

  constructor(url: string, token: string) {
    this.api = new ApiClient(url.replace(/\/+$/, ""), token);
  }

  async prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]> {
    const notes: string[] = [];
    for (const id of file.flows) {
      const { deployedHash, state } = await this.#flow(id);
      const own = sources.hash(id);
      if (deployedHash === null)
        throw new Refusal(409, "", `the flow '${id}' does not run at ${this.api.url}: it is ${state}`);
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
    try {
      return await this.api.call("GET", `/flows/${encodeURIComponent(id)}`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      throw new Refusal(404, error.code, `there is no flow '${id}' at ${this.api.url}: deploy it first`);
    }
  }
}
