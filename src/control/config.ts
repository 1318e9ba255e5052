/** The runtime's configuration: environment variables, read once at boot and checked together. */
import { createHash } from "node:crypto";
import { join, resolve, sep } from "node:path";
import * as z from "zod";
import { type EgressRule, parseEgressAllow } from "../shared/egress.ts";
import type { Ceilings } from "../shared/flow-limits.ts";
import type { Limits } from "../shared/limits.ts";
import type { Isolation } from "../shared/protocol.ts";
import type { LogEvent } from "../shared/trace-event.ts";
import { parseTrustProxy, type TrustedProxies } from "./access/client-address.ts";
import { takeDataKey } from "./data-key.ts";
import { isWholeText, readLimits } from "./limit-settings.ts";
import { type FlowEnvironment, readEnvironment } from "./stores/flow-environment.ts";
import {
  type SecretsOptions,
  secretPrefixProblem,
  secretsDirectoryProblem,
  takeSecretVariables,
} from "./stores/secrets.ts";
import { misspeltVariables, variables } from "./variables.ts";

export type Environment = Record<string, string | undefined>;

/** SHA-256 digests of the tokens' UTF-8 bytes without surrounding white space; the tokens themselves are not kept. */
export interface TokenDigests {
  /** undefined: the management API answers 503. */
  readonly current: Buffer | undefined;
  /** Accepted beside the current one, so that callers can change their token one by one. */
  readonly previous: Buffer | undefined;
}

export interface Config {
  readonly tokens: TokenDigests;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Absolute paths. */
  readonly routesDirectory: string;
  /** true: files are deployed as they are dropped into the routes directory. */
  readonly routesWatch: boolean;
  readonly dataDirectory: string;
  /** Each flow with files has a directory in here. */
  readonly filesDirectory: string;
  /** The operator's 32 bytes that kept messages are encrypted with; undefined: the data directory has a key of its own. */
  readonly dataKey: Uint8Array | undefined;
  /** true: answers wait until their line of the audit log is on the disk. */
  readonly auditStrict: boolean;
  /** `session`: mocks for all runs of a deployment are refused. */
  readonly testScope: "deployment" | "session";
  /** Of flows and policies. */
  readonly secrets: SecretsOptions;
  /** The variables of the environment that flows may read. */
  readonly environment: FlowEnvironment;
  /** Where the threads of flows run that do not choose it themselves. */
  readonly isolation: Isolation;
  readonly logLevel: LogEvent["level"];
  readonly limits: Limits;
  readonly ceilings: Ceilings;
  /** Addresses that flows may call beside the public ones. */
  readonly egressAllow: readonly EgressRule[];
  readonly trustedProxies: TrustedProxies;
  /** One line each, for the log. */
  readonly warnings: readonly string[];
}

/** All problems of the environment; each line names the variable and its valid values. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(`the configuration is not usable:\n${lines.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigError";
    this.lines = lines;
  }
}

const tokenVariables = ["SERVICE_DEPLOY_TOKEN", "SERVICE_DEPLOY_TOKEN_PREVIOUS"] as const;
const goodTokenLength = 32;
/** Names that a prefix of secrets must not match; `LIMIT_` stands for all limits. */
const ownVariables: readonly string[] = [...Object.keys(variables), "LIMIT_", "NODE_", "UV_"];

/** Whether a variable of `env` configures the runtime or holds one of its tokens, keys and secrets. */
export function isOwnVariable(env: Environment): (name: string) => boolean {
  const prefixes = [env["SECRETS_ENV_PREFIX"]?.trim() ?? "", ...ownVariables.filter((own) => own.endsWith("_"))];
  return (name) => ownVariables.includes(name) || prefixes.some((own) => own !== "" && name.startsWith(own));
}

/** Reads the configuration and removes the tokens and the secrets from `env`, so that no later code finds them there. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const warnings: string[] = [];
  const tokens = takeTokens(env, warnings);
  const given = filled(env);
  const settings = settingsSchema.safeParse(given);
  const problems = settings.success
    ? []
    : settings.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const dataKey = takeDataKey(env, problems);
  const { limits, ceilings } = readLimits(given, problems);
  const egressAllow = parseEgressAllow(given["EGRESS_ALLOW"] ?? "");
  problems.push(...egressAllow.problems.map((problem) => `EGRESS_ALLOW: ${problem}`));
  const trustProxy = parseTrustProxy(given["TRUST_PROXY"] ?? "");
  problems.push(...trustProxy.problems.map((problem) => `TRUST_PROXY: ${problem}`));
  const { environment, problems: wrongVariables } = readEnvironment(given["ENV_ALLOW"] ?? "", env, isOwnVariable(env));
  problems.push(...wrongVariables.map((problem) => `ENV_ALLOW: ${problem}`));
  const directories = settings.success ? ownDirectories(settings.data, problems) : undefined;
  const secrets = takeSecrets(env, given, { ...directories }, limits.secretBytes, problems);
  // The secrets have left `env`.
  const misspelt = misspeltVariables(Object.keys(filled(env)), (name) => environment.values.has(name));
  if (!settings.success || directories === undefined || problems.length > 0) {
    throw new ConfigError([...problems, ...misspelt]);
  }
  warnings.push(...misspelt);

  const { PORT, HOST, LOG_LEVEL, AUDIT_STRICT, TEST_SCOPE, ROUTES_WATCH, ISOLATION } = settings.data;
  return {
    tokens,
    port: PORT,
    host: HOST,
    routesDirectory: directories.ROUTES_DIR,
    dataDirectory: directories.DATA_DIR,
    filesDirectory: directories.FILES_DIR,
    dataKey,
    auditStrict: AUDIT_STRICT,
    testScope: TEST_SCOPE,
    routesWatch: ROUTES_WATCH,
    isolation: ISOLATION,
    secrets,
    environment,
    logLevel: LOG_LEVEL,
    limits,
    ceilings,
    egressAllow: egressAllow.rules,
    trustedProxies: trustProxy.proxies,
    warnings,
  };
}

const settingsSchema = z
  .object({
    PORT: z
      .string()
      .refine((text) => isWholeText(text) && Number(text) <= 65_535, {
        error: ({ input }) => `'${input}' is not a port: give a whole number from 0 to 65535 (0: any free port)`,
      })
      .transform(Number)
      .default(8080),
    HOST: z
      .string()
      .refine((text) => /^[A-Za-z0-9.:_%-]+$/.test(text), {
        error: ({ input }) =>
          `'${input}' is not an address: give an IP address or a host name, such as 127.0.0.1 or ::`,
      })
      .default("127.0.0.1"),
    ROUTES_DIR: z
      .string()
      .default("./routes")
      .transform((path) => resolve(path)),
    DATA_DIR: z
      .string()
      .default("./data")
      .transform((path) => resolve(path)),
    FILES_DIR: z
      .string()
      .optional()
      .transform((path) => (path === undefined ? undefined : resolve(path))),
    AUDIT_STRICT: z
      .enum(["true", "false"], { error: ({ input }) => `'${input}' is neither true nor false` })
      .default("false")
      .transform((text) => text === "true"),
    ROUTES_WATCH: z
      .enum(["true", "false"], { error: ({ input }) => `'${input}' is neither true nor false` })
      .default("false")
      .transform((text) => text === "true"),
    TEST_SCOPE: z
      .enum(["deployment", "session"], {
        error: ({ input }) => `'${input}' is neither session (mocks for the runs of a session only) nor deployment`,
      })
      .default("deployment"),
    ISOLATION: z
      .enum(["thread", "process"], {
        error: ({ input }) =>
          `'${input}' is neither thread (flows run in threads of this process) nor process (in host processes)`,
      })
      .default("thread"),
    LOG_LEVEL: z
      .string()
      .toUpperCase()
      .pipe(
        z.enum(["TRACE", "DEBUG", "INFO", "WARN", "ERROR"], {
          error: ({ input }) =>
            `'${String(input).toLowerCase()}' is not a level: give trace, debug, info, warn or error`,
        }),
      )
      .default("INFO"),
  })
  .refine(({ ROUTES_DIR, DATA_DIR }) => ROUTES_DIR !== DATA_DIR, {
    path: ["DATA_DIR"],
    error: "it is the same directory as ROUTES_DIR: give another one",
  });

/** Each directory in FILES_DIR belongs to a flow: none may be a directory of the runtime. */
function filesDirectoryProblem(
  files: string,
  { ROUTES_DIR, DATA_DIR }: { readonly ROUTES_DIR: string; readonly DATA_DIR: string },
): string | undefined {
  const within = (path: string, directory: string): boolean => `${path}${sep}`.startsWith(`${directory}${sep}`);
  if (files.includes("*")) return "its path has a '*', which stands for anything where threads are given their rights";
  if (within(ROUTES_DIR, files)) return `ROUTES_DIR (${ROUTES_DIR}) is in it: give a directory of its own`;
  if (within(DATA_DIR, files)) return `DATA_DIR (${DATA_DIR}) is in it: give a directory of its own`;
  const own = join(DATA_DIR, "files");
  if (within(files, DATA_DIR) && !within(files, own)) return `in DATA_DIR it can be ${own} only`;
  return undefined;
}

function takeTokens(env: Environment, warnings: string[]): TokenDigests {
  const [current, previous] = tokenVariables.map((variable) => {
    const raw = env[variable] ?? "";
    delete env[variable];
    const token = raw.trim();
    if (token === "") return undefined;
    if (token !== raw) warnings.push(`${variable} has white space around it, which is not part of the token`);
    if (token.length < goodTokenLength) {
      warnings.push(`${variable} has fewer than ${goodTokenLength} characters: a longer one is harder to guess`);
    }
    return createHash("sha256").update(token, "utf8").digest();
  });
  if (current === undefined) {
    const unused = previous === undefined ? "" : " (SERVICE_DEPLOY_TOKEN_PREVIOUS alone is not accepted)";
    warnings.push(`SERVICE_DEPLOY_TOKEN is not configured: the management API answers 503${unused}`);
  }
  return { current, previous: current && previous };
}

function ownDirectories(
  { ROUTES_DIR, DATA_DIR, FILES_DIR = join(DATA_DIR, "files") }: z.output<typeof settingsSchema>,
  problems: string[],
): Readonly<Record<"ROUTES_DIR" | "DATA_DIR" | "FILES_DIR", string>> {
  const problem = filesDirectoryProblem(FILES_DIR, { ROUTES_DIR, DATA_DIR });
  if (problem !== undefined) problems.push(`FILES_DIR: ${problem}`);
  return { ROUTES_DIR, DATA_DIR, FILES_DIR };
}

function takeSecrets(
  env: Environment,
  given: Readonly<Record<string, string>>,
  directories: Readonly<Record<string, string>>,
  mostBytes: number,
  problems: string[],
): SecretsOptions {
  const { SECRETS_DIR: directory, SECRETS_ENV_PREFIX: prefix } = given;
  const wrong = directory === undefined ? undefined : secretsDirectoryProblem(directory, directories);
  if (wrong !== undefined) problems.push(`SECRETS_DIR: ${wrong}`);
  const wrongPrefix = prefix === undefined ? undefined : secretPrefixProblem(prefix, ownVariables);
  if (wrongPrefix !== undefined) problems.push(`SECRETS_ENV_PREFIX: ${wrongPrefix}`);
  const taken = takeSecretVariables(env, wrongPrefix === undefined ? prefix : undefined, mostBytes);
  problems.push(...taken.problems);
  return { directory: directory === undefined ? undefined : resolve(directory), variables: taken.variables, mostBytes };
}

/** The variables that have a value; an empty one counts as unset, as compose files and units use it. */
function filled(env: Environment): Record<string, string> {
  const entries = Object.entries(env).map(([name, value]) => [name, value?.trim() ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
