/** An existing runtime: its flows are tested as they are deployed, and nothing is changed. */
import { ApiClient, Refusal } from "./api-client.ts";
import type { FlowSources } from "./flow-sources.ts";
import type { TestRuntime } from "./runtime.ts";
import type { TestFile } from "./test-file.ts";

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
