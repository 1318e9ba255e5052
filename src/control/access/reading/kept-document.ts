/** Policy documents as they are stored and shown: keys as their hashes, and no other secret. */
import { type Fields, isFields, readOwn } from "../../../shared/document-fields.ts";
import { pointerOf } from "../../../shared/document-place.ts";
import { hidden, isSecretName, redact } from "../../../shared/redact.ts";
import { secretNameProblem } from "../../../shared/secret-mark.ts";
import { isSendable, isWeak, keyHash } from "../schemes/api-key.ts";
import { privatePart } from "../schemes/jose.ts";

/** Values that are nested deeper are replaced as a whole. */
const maxDepth = 100;
const hex = /^(?:sha256:)?[0-9a-f]{64}$/i;
/** `key`, `Key`, `clientKey`, and not `publicKey`. */
const keyName = /(?<!public[_-]?)keys?$/i;
/** Fields that hold objects whose own names show what is secret. */
const containers: ReadonlySet<string> = new Set(["apiKeys", "keys"]);

/**
 * Returns the document to store in place of the one that was sent: each clear key becomes its SHA-256 (with `weak:
 * true` if it could be guessed), every other secret `***`. `hashed`: there was a clear key. The document that was sent
 * is not changed.
 */
export function hashKeys<T>(document: T): { readonly document: T; readonly hashed: boolean } {
  let hashed = false;
  if (!isFields(document)) return { document: maskPolicy(document), hashed };
  const kept: Record<string, unknown> = { ...document };
  for (const field of ["principals", "apiKeys"]) {
    const entries = readOwn(document, field);
    if (entries !== undefined) define(kept, field, eachEntry(entries, principal));
  }
  return { document: maskPolicy(kept) as T, hashed };

  function principal(value: unknown): unknown {
    if (!isFields(value)) return value;
    const keys = readOwn(value, "keys");
    return hashedKey(
      keys === undefined ? value : { ...value, keys: eachEntry(keys, (key) => (isFields(key) ? hashedKey(key) : key)) },
    );
  }

  function hashedKey(fields: Fields): Fields {
    const { key, ...others } = fields;
    if (typeof key !== "string" || !isSendable(key) || key === hidden || readOwn(fields, "sha256") !== undefined)
      return fields;
    hashed = true;
    return { ...others, sha256: keyHash(key), ...(isWeak(key) && { weak: true }) };
  }
}

/** Returns the place (JSON Pointer) of the first value that `hashKeys` would not keep as it is; undefined: there is none. */
export function clearKey(document: unknown): string | undefined {
  return firstDifference(document, hashKeys(document).document, []);
}

function firstDifference(sent: unknown, kept: unknown, path: readonly string[]): string | undefined {
  if (!isContainer(sent) || !isContainer(kept)) return Object.is(sent, kept) ? undefined : pointerOf(path);
  for (const [name, value] of Object.entries(sent)) {
    const found = Object.hasOwn(kept, name)
      ? firstDifference(value, (kept as Fields)[name], [...path, name])
      : pointerOf([...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isContainer(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/**
 * Returns the document with `***` for every text and number under a name like `secret`, `token`, `password` or `key`,
 * at any depth; for private parts of keys; for a `sha256` that is not a hash; and for passwords in URLs. Names of
 * secrets (`secretRef`, `secretRefs`) stay.
 */
export function maskPolicy<T>(document: T): T {
  return mask(document, false, 0) as T;
}

function mask(value: unknown, secret: boolean, depth: number): unknown {
  if (typeof value === "string") return secret ? hidden : value.includes("://") ? redact(value) : value;
  if (typeof value !== "object" || value === null) return secret && typeof value === "number" ? hidden : value;
  if (depth > maxDepth) return hidden;
  if (Array.isArray(value)) return value.map((item) => mask(item, secret, depth + 1));
  const ownerOnly = Object.hasOwn(value, "kty") && privatePart(value) !== undefined;
  const result: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    define(result, name, member(name, item, secret, ownerOnly, depth));
  }
  return result;
}

function member(name: string, value: unknown, within: boolean, ownerOnly: boolean, depth: number): unknown {
  if (ownerOnly && privatePart({ [name]: 0 }) !== undefined) return hidden;
  if (name === "sha256") return eachText(value, (text) => hex.test(text), depth + 1);
  if (within) return mask(value, true, depth + 1);
  if (name === "secretRef" || name === "secretRefs") {
    return eachText(value, (text) => secretNameProblem(text) === undefined, depth + 1);
  }
  // Principals may have any names: a principal `token` is not a secret because of its name.
  if (depth === 0 && name === "principals" && isFields(value)) {
    return eachEntry(value, (item, key) =>
      isFields(item) ? mask(item, false, depth + 2) : member(key, item, false, false, depth + 1),
    );
  }
  if (containers.has(name) && typeof value === "object") {
    return eachEntry(value, (item) => mask(item, !isFields(item), depth + 2));
  }
  return mask(value, keyName.test(name) || isSecretName(name), depth + 1);
}

/** Hashes, and names of secrets, stay; any other value might be the secret itself. */
function eachText(value: unknown, isOne: (text: string) => boolean, depth: number): unknown {
  if (Array.isArray(value) && depth < maxDepth) return value.map((item) => eachText(item, isOne, depth + 1));
  return typeof value === "string" && isOne(value) ? value : mask(value, true, depth);
}

/** Changes each item of a list, or each member of an object. */
function eachEntry(value: unknown, change: (item: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => change(item, ""));
  if (!isFields(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) define(result, name, change(item, name));
  return result;
}

/** Sets a member; `__proto__` is a name like any other in JSON. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
