/** The key for what the runtime keeps of messages: 32 bytes, from the operator, or one that the data directory makes for itself. */
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./stores/durable-files.ts";
import { type FsPort, nodeFs } from "./stores/fs-port.ts";
import { errorCode, isAbsent, TornWriteError } from "./stores/store-error.ts";

const keyBytes = 32;
const hex = /^[0-9a-f]{64}$/i;
const base64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads DATA_KEY or DATA_KEY_FILE, and removes the former from `env`, so that no later code finds it there. Adds to
 * `problems`. Returns undefined without a key.
 */
export function takeDataKey(env: Record<string, string | undefined>, problems: string[]): Uint8Array | undefined {
  const value = env["DATA_KEY"]?.trim() ?? "";
  const file = env["DATA_KEY_FILE"]?.trim() ?? "";
  delete env["DATA_KEY"];
  if (value !== "" && file !== "") problems.push("DATA_KEY: DATA_KEY_FILE is set, too: set one of them");
  else if (value !== "") return readKey("DATA_KEY", value, problems);
  else if (file !== "") return readKey("DATA_KEY_FILE", contentOf(file, problems), problems);
  return undefined;
}

/** Returns what a flow's keys are digested with that hold a secret: another one for each flow, and for each data key. */
export function keySaltOf(dataKey: Uint8Array, flowId: string): string {
  return createHmac("sha256", dataKey).update(`keys of ${flowId}`).digest("base64url");
}

/** In DATA_DIR: the key that it has made for itself. */
export const ownKeyFile = "data.key";
const fileMode = 0o600;
/** More than any form of a key. */
const mostFileBytes = 1024;

export interface DataKeys {
  /** The first encrypts; what is stored can be read with any of them. */
  readonly keys: readonly [Uint8Array, ...Uint8Array[]];
  /** Present: it was made now, which an operator has to know. */
  readonly made?: string;
  /** Present: it could not be stored, so nothing that is encrypted with it may be. */
  readonly readOnly?: string;
}

interface KeyPlace {
  /** DATA_DIR. */
  readonly directory: string;
  /** DATA_KEY, or what DATA_KEY_FILE has. */
  readonly given: Uint8Array | undefined;
  /** false: nothing in the directory may be written. */
  readonly mayWrite: boolean;
  readonly fs?: FsPort;
}

/**
 * Returns the keys of a data directory. Without one of the operator it makes `data.key`, once; that one still reads what it
 * has encrypted when an operator gives a key later. Rejects with an Error that describes what to do for a file that is no key.
 */
export async function dataKeys({ directory, given, mayWrite, fs = nodeFs }: KeyPlace): Promise<DataKeys> {
  const own = await readOwnKey(directory, fs);
  if (given !== undefined) return { keys: own === undefined ? [given] : [given, own] };
  if (own !== undefined) return { keys: [own] };
  const made = randomBytes(keyBytes);
  // Where nothing may be written, nothing is kept either.
  if (!mayWrite) return { keys: [made] };
  const path = join(directory, ownKeyFile);
  try {
    await replaceFile(fs, path, new TextEncoder().encode(`${made.toString("hex")}\n`), fileMode);
  } catch (error) {
    const why = errorCode(error instanceof TornWriteError ? error.cause : error);
    const out = "free space or give the rights, or set DATA_KEY, and restart";
    return { keys: [made], readOnly: `${path}, the key that kept messages need, cannot be written (${why}): ${out}` };
  }
  const kept = `the runtime has created ${path}, and encrypts stored messages with it`;
  return { keys: [made], made: `${kept}; a backup has it only with --data-key, and no message can be read without it` };
}

async function readOwnKey(directory: string, fs: FsPort): Promise<Uint8Array | undefined> {
  const path = join(directory, ownKeyFile);
  const problems: string[] = [];
  try {
    const text = new TextDecoder().decode(await fs.read(path, mostFileBytes));
    const key = readKey(path, text.trim(), problems);
    if (key !== undefined) return key;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    problems.push(`${path} cannot be read (${errorCode(error)})`);
  }
  const out =
    "put the key back, from a backup with --data-key; or remove the file, which makes a new key: messages of the old key cannot be read or retried then";
  throw new Error(`${problems.join()}; ${out}`);
}

function contentOf(file: string, problems: string[]): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    problems.push(`DATA_KEY_FILE: '${file}' cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}

function readKey(variable: string, text: string | undefined, problems: string[]): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const key = hex.test(text) ? Buffer.from(text, "hex") : base64.test(text) ? Buffer.from(text, "base64") : undefined;
  if (key?.length === keyBytes) return key;
  problems.push(
    `${variable}: a key is ${keyBytes} bytes as 64 hexadecimal digits or in base64, such as 'openssl rand -hex ${keyBytes}' makes`,
  );
  return undefined;
}
