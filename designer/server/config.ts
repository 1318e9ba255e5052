/** The designer's configuration: environment variables and the files that they name, read once at the start and checked together. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { closest, distance } from "fastest-levenshtein";
import { parse } from "yaml";
import type { OidcSettings } from "./access/oidc-settings.ts";
import { readOidc } from "./access/oidc-settings.ts";
import { Users } from "./access/users.ts";
import { limits } from "./limits.ts";
import { type Proxies, readProxies } from "./proxies.ts";
import { messageOf } from "./refused.ts";
import { readTargets, singleTarget, type TargetSettings } from "./targets.ts";
import { type VariableName, variables } from "./variables.ts";

export type Environment = Record<string, string | undefined>;
/** The values of variables that have one. */
export type Given = Readonly<Partial<Record<VariableName, string>>>;

export type Login =
  | { readonly kind: "none" }
  | { readonly kind: "password"; readonly users: Users }
  | { readonly kind: "oidc"; readonly oidc: OidcSettings };

export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The origin that browsers use; undefined: the address that it listens on. */
  readonly publicUrl: URL | undefined;
  readonly proxies: Proxies | undefined;
  /** Absolute. */
  readonly workspace: string;
  readonly targets: readonly TargetSettings[];
  readonly login: Login;
  /** One line each. */
  readonly warnings: readonly string[];
}

/** All problems; each line names the variable and says what to do. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(`the configuration is not usable:\n${lines.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Removes tokens and secrets from `env`, so that nothing finds them there later. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const problems: string[] = unknownVariables(env);
  const warnings: string[] = [];
  const given = filled(env);
  const host = given.DESIGNER_HOST ?? variables.DESIGNER_HOST.default;
  if (!/^[A-Za-z0-9.:_%-]+$/.test(host))
    problems.push(`DESIGNER_HOST: '${host}' is not an address: give an IP address or a host name, such as 127.0.0.1`);
  const port = readPort(given.DESIGNER_PORT ?? variables.DESIGNER_PORT.default, problems);
  const publicUrl = readPublicUrl(given.DESIGNER_URL, problems);
  const proxies = readProxies(given.DESIGNER_TRUST_PROXY, problems);
  const targets = targetsOf(env, given, problems, warnings);
  const login = readLogin(given, problems);
  for (const name of ["SERVICE_DEPLOY_TOKEN", "BULKHEAD_TOKEN", "OIDC_CLIENT_SECRET"] as const) delete env[name];
  refuseOpenDoor({ host, publicUrl, login, problems });
  if (problems.length > 0) throw new ConfigError(problems);
  const workspace = resolve(given.WORKSPACE ?? usualWorkspace());
  return { host, port, publicUrl, proxies, workspace, targets, login, warnings };
}

/** A project folder, as `bulkhead init` makes it, has its flows in routes/. */
function usualWorkspace(): string {
  return statSync("routes", { throwIfNoEntry: false })?.isDirectory() === true ? "routes" : "flows";
}

/** Whether an address or a name is this machine's own, which no other machine reaches. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

function readPort(text: string, problems: string[]): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  problems.push(`DESIGNER_PORT: '${text}' is not a port: give a whole number from 0 to 65535 (0: any free port)`);
  return 0;
}

function readPublicUrl(text: string | undefined, problems: string[]): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url;
  problems.push(
    `DESIGNER_URL: '${text}' is not the address of a site: give one without a path, such as https://designer.example`,
  );
  return undefined;
}

/** Beyond this machine everybody could deploy flows, and passwords would be read on their way. */
function refuseOpenDoor({
  host,
  publicUrl,
  login,
  problems,
}: Pick<Config, "host" | "publicUrl" | "login"> & { readonly problems: string[] }): void {
  const reached = publicUrl !== undefined && !isLoopback(publicUrl.hostname);
  if (isLoopback(host) && !reached) return;
  const where = isLoopback(host) ? "DESIGNER_URL" : "DESIGNER_HOST";
  if (login.kind === "none" && !problems.some((line) => /^(?:DESIGNER_USERS|OIDC_)/.test(line)))
    problems.push(
      `${where}: beyond this machine people have to log in: give DESIGNER_USERS or OIDC_ISSUER, or listen on 127.0.0.1`,
    );
  if (publicUrl === undefined && !problems.some((line) => line.startsWith("DESIGNER_URL")))
    problems.push(
      "DESIGNER_URL: beyond this machine give the address that browsers use, such as https://designer.example",
    );
  else if (publicUrl?.protocol === "http:" && reached)
    problems.push(
      "DESIGNER_URL: beyond this machine it begins with https: TLS ends in a proxy in front of the designer",
    );
}

function targetsOf(env: Environment, given: Given, problems: string[], warnings: string[]): readonly TargetSettings[] {
  const file = given.DESIGNER_TARGETS;
  if (file === undefined) return singleTarget(given, problems, warnings);
  if (given.RUNTIME_URL !== undefined)
    problems.push("RUNTIME_URL: DESIGNER_TARGETS names the runtimes: leave one of the two out");
  const value = readSettingsFile("DESIGNER_TARGETS", file, problems);
  return value === undefined ? [] : readTargets(value, { env, file, problems, warnings });
}

function readLogin(given: Given, problems: string[]): Login {
  const oidc = readOidc(given, problems);
  if (given.DESIGNER_USERS === undefined) return oidc === undefined ? { kind: "none" } : { kind: "oidc", oidc };
  if (given.OIDC_ISSUER !== undefined)
    problems.push("OIDC_ISSUER: people log in either there or with DESIGNER_USERS: leave one of the two out");
  const value = readSettingsFile("DESIGNER_USERS", given.DESIGNER_USERS, problems);
  if (value === undefined) return { kind: "none" };
  const users = Users.read(value);
  if (users instanceof Users) return { kind: "password", users };
  problems.push(...users.problems.map((problem) => `DESIGNER_USERS: ${given.DESIGNER_USERS}: ${problem}`));
  return { kind: "none" };
}

function readSettingsFile(variable: string, file: string, problems: string[]): unknown {
  try {
    if (statSync(file).size > limits.settingsFileBytes)
      throw new Error(`it has more than ${limits.settingsFileBytes} bytes`);
    return parse(readFileSync(file, "utf8"), { version: "1.2", schema: "core", maxAliasCount: 50 }) ?? {};
  } catch (error) {
    problems.push(`${variable}: ${file} cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

function unknownVariables(env: Environment): string[] {
  const names = Object.keys(variables);
  return Object.keys(env)
    .filter((name) => !names.includes(name))
    .flatMap((name) => {
      const near = closest(name, names);
      const isNear = distance(name, near) <= 3;
      // Other programs may have variables of their own that begin with OIDC_.
      if (!name.startsWith("DESIGNER_") && !(name.startsWith("OIDC_") && isNear)) return [];
      const hint = isNear ? ` (did you mean ${near}?)` : "; bulkhead designer --help lists them";
      return [`${name}: there is no such setting${hint}`];
    });
}

/** An empty value counts as none. */
function filled(env: Environment): Given {
  const entries = Object.keys(variables).map((name) => [name, env[name]?.trim() ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
