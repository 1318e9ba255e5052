/** The runtime as a process: configuration, the app, signals. */
import "./plain-schemas.ts";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { flowLimits } from "../shared/flow-limits.ts";
import { levels } from "../shared/protocol.ts";
import type { LogEvent } from "../shared/trace-event.ts";
import { startApp } from "./app.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { readConfig } from "./config.ts";
import { dataKeys, ownKeyFile } from "./data-key.ts";
import { endOfHold } from "./flows/deployment.ts";
import { createAuthenticator } from "./http/auth.ts";
import { createLogger } from "./log.ts";
import { FileCheckedModels } from "./stores/checked-models.ts";
import { prepareData } from "./stores/data-version.ts";
import { lockDirectories, releaseAll } from "./stores/directory-lock.ts";
import { fileDocuments } from "./stores/file-documents.ts";
import { FileSets } from "./stores/file-sets.ts";
import { FileFlowStore } from "./stores/file-stores.ts";
import { readHold, removeHold } from "./stores/restored-hold.ts";
import { FileSecrets } from "./stores/secrets.ts";
import { StoreGuard } from "./stores/store-guard.ts";
import { undeployedDocuments } from "./stores/undeployed-documents.ts";

/** Two SIGINTs within this time are one. */
const sameSignalMs = 500;

/** `all`: timers and sources of restored data begin, too, from now on. Resolves when it listens. Throws ConfigError, and Error for what keeps it from starting. */
export async function start(version: string, all: boolean): Promise<void> {
  const { tokens, limits, ceilings, logLevel, warnings, ...config } = readConfig(process.env);
  const sink = createLogger(logLevel);
  const locks = await lockDirectories(config, (message) =>
    sink.write({ ts: new Date().toISOString(), level: "ERROR", message, logger: "runtime" }),
  );
  const [{ warning: dataUnlocked }, { warning: unlocked }] = locks;
  const prepared = await prepareData({
    directory: config.dataDirectory,
    runtime: version,
    mayWrite: dataUnlocked === undefined,
  }).catch(async (error: unknown) => {
    await releaseAll(locks);
    throw error;
  });
  const say = (level: LogEvent["level"], message: string): void =>
    sink.write({ ts: new Date().toISOString(), level, message, logger: "runtime" });
  for (const message of prepared.made) say("INFO", message);
  const own = await dataKeys({
    directory: config.dataDirectory,
    given: config.dataKey,
    mayWrite: dataUnlocked === undefined && prepared.readOnly === undefined,
  }).catch(async (error: unknown) => {
    await releaseAll(locks);
    throw error;
  });
  if (own.made !== undefined) say("INFO", own.made);
  const readOnly = dataUnlocked ?? prepared.readOnly ?? own.readOnly;
  const held = await readOrEndHold(config.dataDirectory, all, say);
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
  // Lines that come before its end is found wait.
  const opened = trail.open();
  const { routesDirectory, dataDirectory } = config;
  const { flowYamlBytes } = limits;
  const store = new FileFlowStore({ routesDirectory, dataDirectory, flowYamlBytes, guard, unlocked });
  const documents = fileDocuments(dataDirectory, guard);
  const starting = startApp({
    audit: trail,
    authenticator: createAuthenticator(tokens),
    ...{ store, documents },
    ...{ routesDirectory, routesWatch: config.routesWatch },
    sets: new FileSets({ routesDirectory, dataDirectory, flows: store, documents, guard }),
    models: new FileCheckedModels({
      dataDirectory: config.dataDirectory,
      mayWrite: () => readOnly === undefined && guard.status.writable,
    }),
    secrets,
    environment: config.environment,
    held,
    backup: {
      flows: store,
      policies: documents.policies,
      documents: [documents.valueMappings, documents.messageMappings, documents.connections],
      auditDirectory: join(config.dataDirectory, "audit"),
      ownKey: join(config.dataDirectory, ownKeyFile),
    },
    sink,
    limits,
    ceilings,
    egressAllow: config.egressAllow,
    trustedProxies: config.trustedProxies,
    filesDirectory: config.filesDirectory,
    dataKeys: own.keys,
    stateDirectory: join(config.dataDirectory, "state"),
    databasesDirectory: join(config.dataDirectory, "databases"),
    stateRefusal: () => readOnly ?? locks.find(({ reason }) => reason !== undefined)?.reason,
    testScope: config.testScope,
    settings: (overrides) => flowLimits(limits, overrides, ceilings, config.isolation),
    logLevel: levels.indexOf(logLevel),
    host: config.host,
    port: config.port,
    version,
  }).catch((error: unknown) => {
    throw listenError(error, config) ?? error;
  });
  endOnSignals(async () => {
    const app = await starting;
    await app.close();
    await trail.close();
    await releaseAll(locks);
    sink.flush();
  });
  await starting;
  await opened;
  const apart = await undeployedDocuments(routesDirectory);
  if (apart !== undefined) say("WARN", apart);
  const waits = `files that come into ${routesDirectory} from now on wait for bulkhead reload; ROUTES_WATCH=true deploys them as they come`;
  if (!config.routesWatch) say("INFO", waits);
}

/** `close`: called at the first signal, also one that comes while the runtime starts; the process ends then, and at once at the second SIGTERM or SIGINT. */
function endOnSignals(close: () => Promise<void>): void {
  let stoppingSince: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== undefined) {
      // A terminal that is closed says so more than once: the system does, and the shell does.
      if (signal === "SIGHUP") return;
      // npm hands on the SIGINT that the terminal has sent already: that is one signal, not two.
      if (signal === "SIGINT" && performance.now() - stoppingSince < sameSignalMs) return;
      process.exit(signal === "SIGINT" ? 130 : 143);
    }
    stoppingSince = performance.now();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`bulkhead: could not stop: ${describe(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether timers and sources wait. `all`: they begin, now and later. */
async function readOrEndHold(
  directory: string,
  all: boolean,
  say: (level: "INFO" | "WARN", message: string) => void,
): Promise<boolean> {
  const hold = await readHold(directory);
  if (hold === undefined) return false;
  if (!all) {
    say("WARN", `the data was restored from a backup of ${hold.backupAt}: timers and sources wait; ${endOfHold}`);
    return true;
  }
  await removeHold(directory).then(
    () => say("INFO", `timers and sources of the data that was restored from a backup of ${hold.backupAt} begin`),
    (error: unknown) => say("WARN", `timers and sources begin, but will wait at the next start: ${describe(error)}`),
  );
  return false;
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Why the runtime cannot listen, and what to do about it; undefined: the error is about something else. The message ends with the system's code, which search engines know. */
function listenError(error: unknown, { host, port }: ListenAddress): Error | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const { code, syscall } = error;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return undefined;
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return new Error(`${problem(code, address, { host, port })} (${code})`, { cause: error });
}

function problem(code: unknown, address: string, { host, port }: ListenAddress): string {
  switch (code) {
    case "EADDRINUSE":
      return (
        `${address} is in use by another process: set PORT to another port (0: any free one), or end that process, ` +
        `which \`ss -ltnp 'sport = :${port}'\` (Linux) or \`lsof -i :${port}\` (macOS) shows`
      );
    case "EACCES":
      return `${address} needs rights that this process does not have: set PORT to 1024 or more`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `HOST '${host}' is no address of this machine: set HOST to one of its own, such as 127.0.0.1, or to 0.0.0.0`;
    default:
      return `${address} cannot be listened on: set PORT and HOST to an address of this machine`;
  }
}
