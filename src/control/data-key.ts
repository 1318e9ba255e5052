/** The operator's key for what the runtime keeps of messages: 32 bytes, from a variable or a file. */
import { readFileSync } from "node:fs";

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
