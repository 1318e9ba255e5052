/** Embedded databases for tests, without a runtime around them. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { EmbeddedDatabases } from "../../src/control/embedded/embedded-databases.ts";
import type { EmbeddedSettings } from "../../src/control/embedded/embedded-group.ts";
import type { EmbeddedClient } from "../../src/control/threads/embedded-client.ts";
import { type EmbeddedFailure, readEmbedded, writeEmbedded } from "../../src/shared/embedded.ts";
import { defaultLimits, type Limits } from "../../src/shared/limits.ts";
import { bundle } from "./bundles.ts";

export class RequestFailed extends Error {
  readonly failure: EmbeddedFailure;

  constructor(failure: EmbeddedFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface TestClient extends Pick<EmbeddedClient, "end"> {
  /** Rejects with RequestFailed. */
  ask(...request: readonly unknown[]): Promise<readonly unknown[]>;
  /** As `ask`, with a time limit. */
  askWithin(mostMs: number, ...request: readonly unknown[]): Promise<readonly unknown[]>;
  /** Runs a statement, and returns the values of its rows, or the number of rows that it has changed. */
  run(text: string, ...values: readonly unknown[]): Promise<readonly unknown[]>;
  /** Why it was lost. */
  readonly lost: Promise<string>;
}

export interface TestDatabases {
  readonly databases: EmbeddedDatabases;
  readonly directory: string;
  readonly log: readonly string[];
  client(settings?: Partial<EmbeddedSettings>): TestClient;
}

export async function openDatabases(t: TestContext, own: Partial<Limits> = {}): Promise<TestDatabases> {
  const directory = await mkdtemp(join(tmpdir(), "embedded-"));
  const log: string[] = [];
  const databases = new EmbeddedDatabases({
    directory,
    entry: bundle("embedded-process"),
    limits: { ...defaultLimits, ...own },
    log: (_, message) => void log.push(message),
  });
  t.after(async () => {
    await databases.close();
    await rm(directory, { recursive: true });
  });
  return { databases, directory, log, client: (settings) => clientOf(databases, settings) };
}

function clientOf(databases: EmbeddedDatabases, settings: Partial<EmbeddedSettings> = {}): TestClient {
  const lost = Promise.withResolvers<string>();
  const client = databases.client(
    { name: "shop.orders", quotaBytes: 2 ** 26, lockWaitMs: 5000, ...settings },
    lost.resolve,
  );
  const askWithin = (mostMs: number, ...request: readonly unknown[]): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      client.ask(writeEmbedded(request), mostMs, (answer, failure) => {
        if (answer === undefined) reject(new RequestFailed(failure as EmbeddedFailure));
        else resolve(readEmbedded(answer));
      });
    });
  const ask = (...request: readonly unknown[]): Promise<readonly unknown[]> => askWithin(10_000, ...request);
  return {
    ask,
    askWithin,
    async run(text, ...values) {
      const [kind, ...fields] = await ask("run", 1_000_000, text, ...values);
      return kind === "rows" ? fields.slice(1 + 3 * Number(fields[0])) : fields;
    },
    end: () => client.end(),
    lost: lost.promise,
  };
}

/** Finds the process that has the databases of this folder open. */
export function databaseProcess(folder: string): number | undefined {
  return readdirSync("/proc")
    .map(Number)
    .find((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").at(-2) === folder;
      } catch {
        return false;
      }
    });
}
