/** The runtime as a process: configuration, the app, signals. */
import { join } from "node:path";
import { levels } from "../shared/protocol.ts";
import { startApp } from "./app.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { readConfig } from "./config.ts";
import { createAuthenticator } from "./http/auth.ts";
import { flowLimits } from "./limit-settings.ts";
import { listenError } from "./listen-error.ts";
import { createLogger } from "./log.ts";
import { FileCheckedModels } from "./stores/checked-models.ts";
import { lockDirectories, releaseAll } from "./stores/directory-lock.ts";
import { fileDocuments } from "./stores/file-documents.ts";
import { FileFlowStore } from "./stores/file-stores.ts";
import { FileSecrets } from "./stores/secrets.ts";
import { StoreGuard } from "./stores/store-guard.ts";

/** Two SIGINTs within this time are one. */
const sameSignalMs = 500;

/** Resolves when it listens. Throws ConfigError, and Error for what keeps it from starting. */
export async function start(version: string): Promise<void> {
  const { tokens, limits, ceilings, logLevel, warnings, ...config } = readConfig(process.env);
  const sink = createLogger(logLevel);
  const locks = await lockDirectories(config, (message) =>
    sink.write({ ts: new Date().toISOString(), level: "ERROR", message, logger: "runtime" }),
  );
  const [{ warning: readOnly }, { warning: unlocked }] = locks;
  // Without the lock another process may have the directory by the time that it can be written.
  const guard = new StoreGuard(readOnly, locks);
  const secrets = new FileSecrets(config.secrets);
  const secretsWarning = await secrets.warning();
  for (const message of secretsWarning === undefined ? warnings : [...warnings, secretsWarning])
    sink.write({ ts: new Date().toISOString(), level: "WARN", message, logger: "runtime" });
  const trail = new AuditLog({
    directory: join(config.dataDirectory, "audit"),
    fileBytes: limits.auditFileBytes,
    files: limits.auditFiles,
    strict: config.auditStrict,
    readOnly: () => readOnly ?? locks.find(({ reason }) => reason !== undefined)?.reason,
    onProblem: (message) => sink.write({ ts: new Date().toISOString(), level: "ERROR", message, logger: "audit" }),
  });
  await trail.open();
  const app = await startApp({
    audit: trail,
    authenticator: createAuthenticator(tokens),
    store: new FileFlowStore({
      routesDirectory: config.routesDirectory,
      dataDirectory: config.dataDirectory,
      flowYamlBytes: limits.flowYamlBytes,
      guard,
      unlocked,
    }),
    models: new FileCheckedModels({
      dataDirectory: config.dataDirectory,
      mayWrite: () => readOnly === undefined && guard.status.writable,
    }),
    secrets,
    environment: config.environment,
    documents: fileDocuments(config.dataDirectory, guard),
    sink,
    limits,
    ceilings,
    egressAllow: config.egressAllow,
    trustedProxies: config.trustedProxies,
    filesDirectory: config.filesDirectory,
    testScope: config.testScope,
    settings: (overrides) => flowLimits(limits, overrides, ceilings, config.isolation),
    logLevel: levels.indexOf(logLevel),
    host: config.host,
    port: config.port,
    version,
  }).catch((error: unknown) => {
    throw listenError(error, config) ?? error;
  });

  let stoppingSince: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== undefined) {
      // npm hands on the SIGINT that the terminal has sent already: that is one signal, not two.
      if (signal === "SIGINT" && performance.now() - stoppingSince < sameSignalMs) return;
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
    stoppingSince = performance.now();
    const closed = app
      .close()
      .then(() => trail.close())
      .then(() => releaseAll(locks));
    closed.then(
      () => {
        sink.flush();
        process.exit(0);
      },
      (error: unknown) => {
        process.stderr.write(`bulkhead: could not stop: ${describe(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
