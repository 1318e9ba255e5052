/**
 * Secrets that flows, policies and named connections name. The operator provides their values as files under SECRETS_DIR and as variables
 * of the environment.
 */
import { constants, promises as fs } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { AppError } from "../../shared/errors.ts";
import { idProblem } from "../../shared/ids.ts";
import { secretNameProblem } from "../../shared/secret-mark.ts";
import { secretFiles } from "./secret-files.ts";

/** Secrets that flows and their policies name. */
export interface FlowSecrets {
  /**
   * Reads the current value, anew at each call; undefined: no secret has the name. Throws AppError `bad_id`,
   * `store_failed`.
   */
  read(flowId: string, name: string): Promise<string | undefined>;
}

/** Names of secrets, each once and sorted. No value is read. */
export interface SecretNames {
  /** Those that a flow can name: its own and the shared ones. The flow need not exist. Throws AppError `bad_id`, `store_failed`. */
  names(flowId: string): Promise<readonly SecretName[]>;
  /** Those of named connections. Throws AppError `store_failed`. */
  connectionNames(): Promise<readonly string[]>;
}

export interface SecretName {
  readonly name: string;
  /** true: its value is the one for all flows, since the flow has none of its own. */
  readonly shared: boolean;
}

export interface Secrets extends FlowSecrets, SecretNames {
  /** As `read`, for a secret of named connections, which no flow can name. */
  ofConnection(name: string): Promise<string | undefined>;
}

/** For a runtime without secrets. */
export const noSecrets: Secrets = {
  read: async () => undefined,
  ofConnection: async () => undefined,
  names: async () => [],
  connectionNames: async () => [],
};

/** The directory of the secrets that every flow may name; no flow has such an id. */
export const sharedSecrets = "_shared";

/** The directory of the secrets of named connections; no flow has such an id. */
const connectionSecrets = "_connections";

export interface SecretsOptions {
  /** The absolute path of SECRETS_DIR; undefined: there are no secret files. */
  readonly directory: string | undefined;
  readonly variables: SecretVariables;
  /** The most bytes that a secret's value may have. */
  readonly mostBytes: number;
}

/**
 * A flow's own secrets come before the shared ones, files before variables. A secret file is a regular UTF-8 file in
 * the owner's directory or, for a name such as `kafka/password`, in a folder there. It may be reached by symbolic links within SECRETS_DIR (as Docker and Kubernetes mount secrets); one line end at
 * its end does not count.
 */
export class FileSecrets implements Secrets {
  readonly #options: SecretsOptions;

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  async read(flowId: string, name: string): Promise<string | undefined> {
    const problem = idProblem(flowId) ?? secretNameProblem(name);
    if (problem !== undefined) throw new AppError("bad_id", problem);
    return this.#first([flowId, sharedSecrets], name);
  }

  async ofConnection(name: string): Promise<string | undefined> {
    const problem = secretNameProblem(name);
    if (problem !== undefined) throw new AppError("bad_id", problem);
    return this.#first([connectionSecrets], name);
  }

  async #first(owners: readonly string[], name: string): Promise<string | undefined> {
    const { directory, variables } = this.#options;
    for (const owner of owners) {
      const value = directory === undefined ? undefined : await this.#file(directory, owner, name);
      if (value !== undefined) return value;
    }
    return owners.map((owner) => variables.value(owner, name)).find((value) => value !== undefined);
  }

  async names(flowId: string): Promise<readonly SecretName[]> {
    const problem = idProblem(flowId);
    if (problem !== undefined) throw new AppError("bad_id", problem);
    const names = new Map<string, SecretName>();
    // In the order in which values are looked for.
    for (const source of [this.#files, this.#variables])
      for (const owner of [flowId, sharedSecrets])
        for (const name of await source(owner))
          if (!names.has(name)) names.set(name, { name, shared: owner === sharedSecrets });
    return [...names.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async connectionNames(): Promise<readonly string[]> {
    const names = [...(await this.#files(connectionSecrets)), ...this.#variables(connectionSecrets)];
    return [...new Set(names)].sort();
  }

  readonly #files = async (owner: string): Promise<readonly string[]> => {
    const { directory } = this.#options;
    return directory === undefined ? [] : secretFiles(directory, owner);
  };

  readonly #variables = (owner: string): readonly string[] => this.#options.variables.names(owner);

  /** Returns a warning about the directory for the log; undefined: there is none. */
  async warning(): Promise<string | undefined> {
    const { directory } = this.#options;
    if (directory === undefined) return undefined;
    try {
      const stats = await fs.stat(directory);
      if (!stats.isDirectory()) return `SECRETS_DIR (${directory}) is no directory`;
      if ((stats.mode & 0o007) === 0) return undefined;
      return `SECRETS_DIR (${directory}) is open to every user of this machine: take their rights away (chmod o-rwx)`;
    } catch (error) {
      return `SECRETS_DIR (${directory}) cannot be looked at: ${codeOf(error)}`;
    }
  }

  async #file(directory: string, owner: string, name: string): Promise<string | undefined> {
    try {
      const root = await fs.realpath(directory);
      const path = await fs.realpath(join(root, owner, name));
      if (!path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
        throw unreadableError(name, "it is a link out of SECRETS_DIR");
      }
      return await this.#readContent(path, name);
    } catch (error) {
      if (error instanceof AppError) throw error;
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw unreadableError(name, code);
    }
  }

  async #readContent(path: string, name: string): Promise<string> {
    const { mostBytes } = this.#options;
    // Opening a FIFO that has no writer would never return.
    const file = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stats = await file.stat();
      if (stats.isDirectory()) throw unreadableError(name, `it is a folder: name a file in it, '${name}/NAME'`);
      if (!stats.isFile()) throw unreadableError(name, "it is no regular file");
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
      if (bytesRead > mostBytes) throw unreadableError(name, `it has more than ${mostBytes} bytes (limit secretBytes)`);
      return textOf(buffer.subarray(0, bytesRead), name);
    } finally {
      await file.close();
    }
  }
}

/**
 * Returns why `directory` cannot be SECRETS_DIR; `others`: directories that the runtime and its flows write to, by
 * variable.
 */
export function secretsDirectoryProblem(
  directory: string,
  others: Readonly<Record<string, string>>,
): string | undefined {
  if (!isAbsolute(directory)) return `'${directory}' is not an absolute path`;
  const within = (path: string, around: string): boolean => `${path}${sep}`.startsWith(`${around}${sep}`);
  for (const [variable, other] of Object.entries(others)) {
    if (within(directory, other))
      return `it is in ${variable} (${other}), whose files are no secrets: give another one`;
    if (within(other, directory)) return `${variable} (${other}) is in it: give a directory of its own`;
  }
  return undefined;
}

function textOf(bytes: Uint8Array, name: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadableError(name, "it is not UTF-8");
  }
  const value = text.replace(/\r?\n$/, "");
  if (value === "") throw unreadableError(name, "it is empty");
  return value;
}

function unreadableError(name: string, why: string): AppError {
  return new AppError("store_failed", `secret '${name}' cannot be read: ${why}`);
}

function codeOf(error: unknown): string {
  return (error instanceof Error && "code" in error && String(error.code)) || "it failed";
}

/**
 * Secrets in variables: `<prefix><flow id>__<NAME>`, `<prefix>_shared__<NAME>` for all flows, and `<prefix>_connections__<NAME>` for named connections. In the id each
 * character that is neither a letter nor a digit is written as `_` and its two hexadecimal digits (`shop.in` is
 * `shop_2Ein`), so that the variables of two flows never clash.
 */
export interface SecretVariables {
  /** Returns the value; undefined: there is none. `owner`: a flow's id, `_shared`, or `_connections`. */
  value(owner: string, name: string): string | undefined;
  names(owner: string): readonly string[];
}

/** For a runtime without variables of secrets. */
export const noSecretVariables: SecretVariables = { value: () => undefined, names: () => [] };

const variableGrammar =
  /^((?:_shared|_connections)|(?:[A-Za-z0-9](?:[A-Za-z0-9]|_[0-9A-F]{2})*))__([A-Za-z0-9][A-Za-z0-9_]*)$/;

/**
 * Takes the secrets out of `env`. `problems`: a line for each name that is not a secret's, or whose value cannot be
 * one.
 */
export function takeSecretVariables(
  env: Record<string, string | undefined>,
  prefix: string | undefined,
  mostBytes: number,
): { readonly variables: SecretVariables; readonly problems: readonly string[] } {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    if (prefix === undefined || !variable.startsWith(prefix) || value === undefined) continue;
    delete env[variable];
    const [, owner, name = ""] = variableGrammar.exec(variable.slice(prefix.length)) ?? [];
    if (owner === undefined || secretNameProblem(name) !== undefined) {
      problems.push(`${variable}: a secret's variable is ${prefix}<flow id>__<NAME> or ${prefix}_shared__<NAME>`);
    } else if (value === "") problems.push(`${variable}: it is empty`);
    else if (Buffer.byteLength(value) > mostBytes) problems.push(`${variable}: it has more than ${mostBytes} bytes`);
    else values.set(`${owner}__${name}`, value);
  }
  return {
    variables: {
      value: (owner, name) => values.get(`${ownerText(owner)}__${name}`),
      names(owner) {
        const beginning = `${ownerText(owner)}__`;
        return [...values.keys()].filter((key) => key.startsWith(beginning)).map((key) => key.slice(beginning.length));
      },
    },
    problems,
  };
}

/** Returns why a text cannot be SECRETS_ENV_PREFIX: the names of the runtime's own variables must not begin with it. */
export function secretPrefixProblem(prefix: string, own: readonly string[]): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]{2,}_$/.test(prefix)) {
    return `'${prefix}' is not a prefix: give letters, digits and _, four or more, the last one a _, such as BULKHEAD_SECRET_`;
  }
  const taken = own.find((variable) => variable.startsWith(prefix) || prefix.startsWith(variable));
  return taken === undefined ? undefined : `${taken} begins with it or is its beginning, which is the runtime's own`;
}

function ownerText(owner: string): string {
  if (owner === sharedSecrets || owner === connectionSecrets) return owner;
  return owner.replaceAll(/[^A-Za-z0-9]/g, (c) => `_${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
