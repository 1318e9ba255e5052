/** Keys in Camel's two spellings: `setBody`, and `set-body` of old files. */
import { isScalar } from "yaml";

export function toCamelCase(key: string): string {
  return key.replaceAll(/-([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether a written key is the option `name`. */
export function isKey(written: string, name: string): boolean {
  return written === name || toCamelCase(written) === name;
}

/** Returns the text of a key of a map. */
export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value ?? "") : String(key);
}

/** Returns the key of `keys` for an option: as it is written, else in the other spelling. */
export function findKey(keys: readonly string[], name: string): string | undefined {
  return keys.find((key) => key === name) ?? keys.find((key) => isKey(key, name));
}

/** The name of a route in an address such as `direct:orders?timeout=500`; undefined: it is another one. */
export function directName(uri: string): string | undefined {
  return /^direct:(?:\/\/)?([^?]+)/.exec(uri)?.[1];
}
