/** A runtime for the time of the tests: nothing of it lasts, and its flows call nothing outside unless they may. */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EgressRule } from "../../shared/egress.ts";
import { randomHex } from "../../shared/ids.ts";
import { levels } from "../../shared/protocol.ts";
import { type App, startApp } from "../app.ts";
import { createAuthenticator } from "../http/auth.ts";
import { flowLimits, readLimits } from "../limit-settings.ts";
import { MemoryDocuments } from "../stores/memory-documents.ts";
import { MemoryFlowStore } from "../stores/memory-stores.ts";
import { ApiClient } from "./api-client.ts";
import type { FlowSources } from "./flow-sources.ts";
import type { TestRuntime } from "./runtime.ts";
import { BadFile, type TestFile } from "./test-file.ts";

export interface EmbeddedOptions {
  readonly egressAllow: readonly EgressRule[];
  /** `LIMIT_...` of it are heard. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of what the runtime itself does wrong. */
  readonly complain: (message: string) => void;
}

interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What one who tests for a minute needs otherwise than one who operates. */
const ownLimits = { standbyThreads: 0, shutdownMs: 200, authFailuresPerMinute: 1_000_000 };

export class EmbeddedRuntime implements TestRuntime {
  readonly api: ApiClient;
  readonly #app: App;
  readonly #directory: string;
  readonly #secrets: Map<string, string>;
  /** Below /_api, in the order in which they were made. */
  readonly #installed: string[] = [];

  static async start({ egressAllow, env, complain }: EmbeddedOptions): Promise<EmbeddedRuntime> {
    const problems: string[] = [];
    const given = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? "").trim() !== "");
    const read = readLimits(Object.fromEntries(given), problems);
    if (problems.length > 0) throw new BadFile(problems.join("\n"));
    const limits = { ...read.limits, ...ownLimits };
    const token = randomHex(64);
    const secrets = new Map<string, string>();
    const directory = await mkdtemp(join(tmpdir(), "bulkhead-flow-test-"));
    try {
      const app = await startApp({
        authenticator: createAuthenticator({
          current: createHash("sha256").update(token).digest(),
          previous: undefined,
        }),
        store: new MemoryFlowStore({ flowYamlBytes: limits.flowYamlBytes }),
        documents: {
          valueMappings: new MemoryDocuments("value mapping"),
          messageMappings: new MemoryDocuments("message mapping"),
          policies: new MemoryDocuments("flow"),
        },
        // A file's secrets are those of its flows.
        secrets: { read: async (_flowId, name) => secrets.get(name) },
        sink: {
          write({ level, logger, flowId, message }) {
            if (level === "ERROR" && logger === "runtime" && flowId === undefined) complain(message);
          },
        },
        limits,
        ceilings: read.ceilings,
        settings: (overrides) => flowLimits(limits, overrides, read.ceilings),
        egressAllow,
        egressClosed: true,
        filesDirectory: join(directory, "files"),
        logLevel: levels.indexOf("WARN"),
        host: "127.0.0.1",
        port: 0,
        version: "flow-test",
      });
      await app.loaded;
      return new EmbeddedRuntime(app, token, directory, secrets);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(app: App, token: string, directory: string, secrets: Map<string, string>) {
    this.api = new ApiClient(app.url, token);
    this.#app = app;
    this.#directory = directory;
    this.#secrets = secrets;
  }

  async prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]> {
    const flows = sources.flows(file);
    const documents = sources.documents(file);
    for (const [name, value] of Object.entries(file.secrets ?? {})) this.#secrets.set(name, value);
    const notes: string[] = [];
    for (const { path, text } of documents) {
      this.#installed.push(path);
      await this.#installing(path, () =>
        this.api.send("PUT", `/${path}?strict=true`, { body: text, type: "application/json" }),
      );
    }
    for (const [id, yaml] of flows) {
      const own = id === file.flow ? { params: file.params, limits: file.limits } : {};
      this.#installed.push(`flows/${id}`);
      const { warnings } = await this.#installing(`the flow '${id}'`, () =>
        this.api.call<{ readonly warnings: readonly Warning[] }>("PUT", `/flows/${id}`, { yaml, ...own }),
      );
      // Whether the other flow is there, the test will tell.
      const told = warnings.filter(({ code }) => code !== "external_direct");
      notes.push(...told.map(({ message }) => `${id}: ${message}`));
    }
    return notes;
  }

  async release(): Promise<void> {
    for (const path of this.#installed.splice(0).reverse()) {
      const query = path.startsWith("flows/") ? "?purge=true&drainMs=0" : "";
      // What was refused is not there.
      await this.api.call("DELETE", `/${path}${query}`).catch(() => undefined);
    }
    this.#secrets.clear();
  }

  async close(): Promise<void> {
    await this.#app.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #installing<Answer>(what: string, install: () => Promise<Answer>): Promise<Answer> {
    try {
      return await install();
    } catch (error) {
      if (error instanceof Error) error.message = `${what} cannot be installed: ${error.message}`;
      throw error;
    }
  }
}
