/** Secrets of flows, as operators keep them: files under SECRETS_DIR, and variables of the environment. */
import { constants, promises as fs } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { AppError } from "../../shared/errors.ts";
import { idProblem } from "../../shared/ids.ts";
import { secretNameProblem } from "../../shared/secret-mark.ts";
import type { SecretVariables } from "./secret-variables.ts";
import type { Secrets } from "./secrets.ts";

/** The directory of the secrets that every flow may name; no flow has such an id. */
export const sharedSecrets = "_shared";

export interface SecretsOptions {
  /** The absolute path of SECRETS_DIR; undefined: there are no secret files. */
  readonly directory: string | undefined;
  readonly variables: SecretVariables;
  /** The most bytes that a secret's value may have. */
  readonly mostBytes: number;
}

/**
 * A flow's own secrets come before the shared ones, files before variables. A secret file is a regular UTF-8 file,
 * which may be reached by symbolic links within SECRETS_DIR (as Docker and Kubernetes mount secrets); one line end at
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
    const { directory, variables } = this.#options;
    for (const owner of [flowId, sharedSecrets]) {
      const value = directory === undefined ? undefined : await this.#file(directory, owner, name);
      if (value !== undefined) return value;
    }
    return variables.value(flowId, name) ?? variables.value(sharedSecrets, name);
  }

  /** Returns what the log warns of about the directory; undefined: nothing. */
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
    // Opening a FIFO that has no writer would wait for ever.
    const file = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (!(await file.stat()).isFile()) throw unreadableError(name, "it is no regular file");
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
