/**
 * An app for the time of the tests: in memory, on a free port; its flows make no calls to the outside unless allowed.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EgressRule } from "../../shared/egress.ts";
import { flowLimits } from "../../shared/flow-limits.ts";
import { randomHex } from "../../shared/ids.ts";
import { levels } from "../../shared/protocol.ts";
import { startApp } from "../app.ts";
import type { AppOptions } from "../app-options.ts";
import { isOwnVariable } from "../config.ts";
import { createAuthenticator } from "../http/auth.ts";
import { readLimits } from "../limit-settings.ts";
import { readEnvironment } from "../stores/flow-environment.ts";
import { MemoryDocuments, MemoryFlowStore } from "../stores/memory-stores.ts";
import { BadFile } from "./text-files.ts";

/** Threads to use; absent: the app has its own. */
export type Threads = Pick<AppOptions, "threadEntry" | "checks">;

export interface EmbeddedOptions {
  readonly threads: Threads;
  readonly egressAllow: readonly EgressRule[];
  /** Its `LIMIT_...` variables apply. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with problems of the runtime itself. */
  readonly complain: (message: string) => void;
}

export interface EmbeddedApp {
  readonly url: string;
  readonly token: string;
  /** Secrets by name, for every flow. */
  readonly secrets: Map<string, string>;
  close(): Promise<void>;
}

/** Limits for a minute of tests rather than for operation. */
const ownLimits = { standbyThreads: 0, shutdownMs: 200, authFailuresPerMinute: 1_000_000 };

/** Throws BadFile for limits that cannot be used. */
export async function startEmbeddedApp(options: EmbeddedOptions): Promise<EmbeddedApp> {
  const { threads, egressAllow, env, complain } = options;
  const problems: string[] = [];
  const given = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? "").trim() !== "");
  const read = readLimits(Object.fromEntries(given), problems);
  const { environment, problems: wrong } = readEnvironment(env["ENV_ALLOW"] ?? "", env, isOwnVariable(env));
  problems.push(...wrong.map((problem) => `ENV_ALLOW: ${problem}`));
  if (problems.length > 0) throw new BadFile(problems.join("\n"));
  const limits = { ...read.limits, ...ownLimits };
  const token = randomHex(64);
  const secrets = new Map<string, string>();
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-flow-test-"));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const app = await startApp({
      ...threads,
      authenticator: createAuthenticator({ current: createHash("sha256").update(token).digest(), previous: undefined }),
      store: new MemoryFlowStore({ flowYamlBytes: limits.flowYamlBytes }),
      documents: {
        valueMappings: new MemoryDocuments("value mapping"),
        messageMappings: new MemoryDocuments("message mapping"),
        policies: new MemoryDocuments("flow"),
        connections: new MemoryDocuments("connection"),
      },
      environment,
      dataKeys: [randomBytes(32)],
      secrets: {
        read: async (_flowId, name) => secrets.get(name),
        ofConnection: async (name) => secrets.get(name),
        names: async () => [...secrets.keys()].sort().map((name) => ({ name, shared: true })),
        connectionNames: async () => [...secrets.keys()].sort(),
      },
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
    return { url: app.url, token, secrets, close: () => app.close().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
