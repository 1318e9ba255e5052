/**
 * Starts a whole runtime on a free port, with real files in a directory of its own; both are removed after the test.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { parseTrustProxy } from "../../src/control/access/client-address.ts";
import { type App, startApp } from "../../src/control/app.ts";
import type { AuditFs } from "../../src/control/audit/audit-files.ts";
import { AuditLog } from "../../src/control/audit/audit-log.ts";
import { CheckPool } from "../../src/control/flows/check-pool.ts";
import { createAuthenticator } from "../../src/control/http/auth.ts";
import { readLimits } from "../../src/control/limit-settings.ts";
import { FileCheckedModels } from "../../src/control/stores/checked-models.ts";
import type { DirectoryLock } from "../../src/control/stores/directory-lock.ts";
import { fileDocuments } from "../../src/control/stores/file-documents.ts";
import { FileSets } from "../../src/control/stores/file-sets.ts";
import { FileFlowStore } from "../../src/control/stores/file-stores.ts";
import { readEnvironment } from "../../src/control/stores/flow-environment.ts";
import { type FsPort, nodeFs } from "../../src/control/stores/fs-port.ts";
import { FileSecrets, noSecretVariables } from "../../src/control/stores/secrets.ts";
import { StoreGuard } from "../../src/control/stores/store-guard.ts";
import type { FlowStore } from "../../src/control/stores/stores.ts";
import { parseEgressAllow } from "../../src/shared/egress.ts";
import { flowLimits } from "../../src/shared/flow-limits.ts";
import { defaultLimits, type LimitName } from "../../src/shared/limits.ts";
import type { Isolation } from "../../src/shared/protocol.ts";
import type { LogEvent } from "../../src/shared/trace-event.ts";
import { bundle } from "./bundles.ts";
import { checkThreads } from "./check-threads.ts";
import { patient } from "./patience.ts";

export const token = "a-token-for-tests-of-thirty-two-characters";

/** `TEST_ISOLATION=process npm test` runs the flows of all tests in host processes. */
const usualIsolation: Isolation = process.env["TEST_ISOLATION"] === "process" ? "process" : "thread";

export interface TestAppOptions {
  readonly limits?: Partial<Record<LimitName, number>>;
  /** Files of the routes directory before the start: name -> text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly threadEntry?: URL;
  readonly hostEntry?: URL;
  /** The module of the state store's thread. */
  readonly stateEntry?: URL;
  readonly checkEntry?: URL;
  /** The check threads; the test closes them. */
  readonly checks?: CheckPool;
  /** Wraps the runtime's store. */
  readonly wrapStore?: (store: FlowStore) => FlowStore;
  /**
   * What the stores see of the disk; checked models, which are written behind an answer and may be lost, are not among
   * them.
   */
  readonly fs?: FsPort;
  /** Of the directories: nothing is changed any more when one of them is lost. */
  readonly locks?: readonly DirectoryLock[];
  /** Present: starts again with these directories. */
  readonly directory?: string;
  /** EGRESS_ALLOW: what flows may call beside public addresses. */
  readonly egressAllow?: string;
  /** The setting TEST_SCOPE. */
  readonly testScope?: "deployment" | "session";
  /** The setting ISOLATION. */
  readonly isolation?: Isolation;
  /** The setting TRUST_PROXY. */
  readonly trustProxy?: string;
  /** Files of SECRETS_DIR before the start: `flow/NAME` -> value. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** DATA_KEY; absent: one that all apps of the tests have. */
  readonly dataKey?: Uint8Array;
  /** ENV_ALLOW, and the variables that are set. */
  readonly environment?: { readonly allow: string; readonly set: Readonly<Record<string, string>> };
  /** AUDIT_STRICT, and the file system that the audit log uses; absent: nothing is recorded. */
  readonly audit?: { readonly strict?: boolean; readonly fs?: AuditFs };
  /** true: the runtime is as one that keeps nothing on the disk, and has no backups. */
  readonly backupless?: boolean;
  /** The data was restored from a backup, and is held. */
  readonly held?: boolean;
  /** true: SERVICE_DEPLOY_TOKEN is not set. */
  readonly tokenless?: boolean;
  /** `LIMIT_..._CEILING`: how far flows may raise limits. */
  readonly operator?: Readonly<Record<string, string>>;
  /** ROUTES_WATCH. */
  readonly routesWatch?: boolean;
  /** true: does not wait for the boot load. */
  readonly early?: boolean;
}

export interface TestApp {
  readonly auditDirectory: string;
  /** The path of SECRETS_DIR. */
  readonly secretsDirectory: string;
  readonly app: App;
  readonly url: string;
  readonly directory: string;
  readonly routesDirectory: string;
  /** All log events so far. */
  readonly logs: LogEvent[];
  /** Makes a management call with the token. */
  api(path: string, init?: RequestInit): Promise<Response>;
  put(id: string, yaml: string, more?: Readonly<Record<string, unknown>>, query?: string): Promise<Response>;
  post(
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  close(): Promise<void>;
}

export async function startTestApp(t: TestContext, options: TestAppOptions = {}): Promise<TestApp> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "bulkhead-test-")));
  const routesDirectory = join(directory, "routes");
  await mkdir(routesDirectory, { recursive: true });
  for (const [name, text] of Object.entries(options.files ?? {})) {
    const path = join(routesDirectory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const secretsDirectory = join(directory, "secrets");
  for (const [path, value] of Object.entries(options.secrets ?? {})) await writeSecret(secretsDirectory, path, value);
  // Each thread takes time to boot, and a test deploys only a few flows.
  const limits = { ...defaultLimits, ...patient, shutdownMs: 200, standbyThreads: 0, ...options.limits };
  const { ceilings } = readLimits(options.operator ?? {}, []);
  const logs: LogEvent[] = [];
  const dataDirectory = join(directory, "data");
  const { flowYamlBytes } = limits;
  const fs = options.fs ?? nodeFs;
  const guard = new StoreGuard(undefined, options.locks);
  const store = new FileFlowStore({ routesDirectory, dataDirectory, flowYamlBytes, guard, fs });
  const documents = fileDocuments(dataDirectory, guard, fs);
  const auditDirectory = join(dataDirectory, "audit");
  const audit =
    options.audit &&
    new AuditLog({
      directory: auditDirectory,
      fileBytes: limits.auditFileBytes,
      files: limits.auditFiles,
      strict: options.audit.strict ?? false,
      onProblem: (message) => logs.push({ ts: "", level: "ERROR", message, logger: "audit" }),
      ...(options.audit.fs && { fs: options.audit.fs }),
    });
  await audit?.open();
  const checks =
    options.checks ?? (options.checkEntry === undefined ? checkThreads() : new CheckPool(2, options.checkEntry));
  const app = await startApp({
    audit,
    authenticator: createAuthenticator({
      current: options.tokenless === true ? undefined : createHash("sha256").update(token).digest(),
      previous: undefined,
    }),
    store: options.wrapStore?.(store) ?? store,
    documents,
    held: options.held === true,
    dataKeys: [options.dataKey ?? Buffer.alloc(32, 3)],
    ...(options.backupless !== true && {
      backup: {
        flows: store,
        policies: documents.policies,
        documents: [documents.valueMappings, documents.messageMappings, documents.connections],
        auditDirectory,
        ownKey: join(directory, "data", "data.key"),
      },
    }),
    ...{ routesDirectory, routesWatch: options.routesWatch === true },
    sets: new FileSets({ routesDirectory, dataDirectory, flows: store, documents, guard, fs }),
    models: new FileCheckedModels({ dataDirectory, mayWrite: () => guard.status.writable }),
    environment: readEnvironment(options.environment?.allow ?? "", options.environment?.set ?? {}, () => false)
      .environment,
    secrets: new FileSecrets({
      directory: secretsDirectory,
      variables: noSecretVariables,
      mostBytes: limits.secretBytes,
    }),
    sink: { write: (event) => logs.push(event) },
    limits,
    ceilings,
    filesDirectory: join(directory, "files"),
    stateDirectory: join(directory, "data", "state"),
    databasesDirectory: join(directory, "data", "databases"),
    embeddedEntry: bundle("embedded-process"),
    stateEntry: options.stateEntry ?? bundle("state-thread"),
    egressAllow: parseEgressAllow(options.egressAllow ?? "").rules,
    ...(options.testScope && { testScope: options.testScope }),
    trustedProxies: parseTrustProxy(options.trustProxy ?? "").proxies,
    settings: (overrides) => flowLimits(limits, overrides, ceilings, options.isolation ?? usualIsolation),
    logLevel: 1,
    host: "127.0.0.1",
    port: 0,
    version: "0.0.0-test",
    threadEntry: options.threadEntry ?? bundle("flow-worker"),
    hostEntry: options.hostEntry ?? bundle("host-process"),
    checks,
  });
  if (options.early !== true) await app.loaded;
  t.after(async () => {
    await app.close();
    await app.loaded;
    await audit?.close();
    if (options.checkEntry !== undefined) await checks.close();
    if (options.directory === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  });
  const api = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${app.url}/_api${path}`, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  return {
    app,
    url: app.url,
    directory,
    routesDirectory,
    auditDirectory,
    secretsDirectory,
    logs,
    api,
    put: (id, yaml, more = {}, query = "") =>
      api(`/flows/${id}${query}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ yaml, ...more }),
      }),
    post: (path, body = "", headers = {}) => fetch(`${app.url}${path}`, { method: "POST", body, headers }),
    async close() {
      await app.close();
      await audit?.close();
    },
  };
}

/** Writes a secret. `path`: `flow/NAME`, or `_shared/NAME`. */
export async function writeSecret(directory: string, path: string, value: string): Promise<void> {
  await mkdir(join(directory, dirname(path)), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, path), value, { mode: 0o600 });
}
