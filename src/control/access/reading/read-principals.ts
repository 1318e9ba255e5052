/** `principals` as an object by name or as a list, and `apiKeys`. What is not understood of one makes it nobody, not the others. */
import type { ApiKeyPrincipal, HmacPrincipal, JwtPrincipal, KnownPrincipal, Principals } from "../principals.ts";
import { readValidity, validityFields } from "../validity.ts";
import { apiKeyFields, readApiKey } from "./read-api-key.ts";
import { hmacFields, readHmac } from "./read-hmac.ts";
import { jwtFields, readJwt } from "./read-jwt.ts";
import { type Fields, isFields, own, place, Reading } from "./reading.ts";

const common = ["type", "name", "id", "roles", ...validityFields] as const;

/** `token` is another name for apiKey. */
const types = {
  apiKey: { fields: apiKeyFields, read: readApiKey },
  token: { fields: apiKeyFields, read: readApiKey },
  hmac: { fields: hmacFields, read: readHmac },
  jwt: { fields: jwtFields, read: readJwt },
} as const;

/** No colon: `idp:alice` is a token's bearer. */
const nameGrammar = /^[\w.@-]{1,100}$/;
/** Of each type; of hmac its secrets together, each of which hashes the whole body of whoever presents a signature. */
const most = { apiKey: 1000, hmac: 10, jwt: 20 } as const;

export interface PrincipalsRead extends Principals {
  /** The names under `apiKeys`. */
  readonly short: readonly string[];
}

export function readPrincipals(document: Fields, reading: Reading): PrincipalsRead {
  const names = new Set<string>();
  const read: KnownPrincipal[] = [];
  const short: string[] = [];
  for (const { name, value, pointer } of entriesOf(document, "principals", reading)) {
    readOne(name, value, pointer, isFields(value) ? own(value, "type") : undefined);
  }
  for (const { name: key, value, pointer } of entriesOf(document, "apiKeys", reading)) {
    const type = (isFields(value) ? own(value, "type") : undefined) ?? "apiKey";
    const name = readOne(key, value, pointer, type);
    if (name !== undefined) short.push(name);
  }
  const kept = byType(read, reading);
  warnOfSharedKeys(kept.apiKeys, reading);
  return { ...kept, names, short };

  function readOne(key: string, value: unknown, pointer: string, type: unknown): string | undefined {
    if (!isFields(value)) return reading.bad(pointer, "an object is expected: the principal is nobody");
    const name = key === "" ? (own(value, "name") ?? own(value, "id")) : key;
    if (typeof name !== "string" || !nameGrammar.test(name)) {
      return reading.bad(
        pointer,
        "a name of 1 to 100 letters, digits, '.', '_', '@' and '-' is needed: the principal is nobody",
      );
    }
    if (names.has(name)) {
      reading.warn("duplicate_principal", pointer, `the name '${name}' is taken by another: the principal is nobody`);
      return undefined;
    }
    names.add(name);
    const principal = readPrincipal(name, value, pointer, type, reading);
    if (principal !== undefined) read.push(principal);
    return name;
  }
}

/** The holder of a key can be one only: the first that has it. */
function warnOfSharedKeys(apiKeys: readonly ApiKeyPrincipal[], reading: Reading): void {
  const owners = new Map<string, string>();
  for (const { name, keys } of apiKeys) {
    for (const { digest } of keys) {
      const owner = owners.get(digest.toString("hex")) ?? name;
      owners.set(digest.toString("hex"), owner);
      if (owner === name) continue;
      reading.warn(
        "duplicate_key",
        "/principals",
        `'${name}' has a key of '${owner}': whoever presents it is '${owner}'`,
      );
    }
  }
}

/** Of all that a document names, also of those that cannot be read. */
export function principalNames(document: Fields): readonly string[] {
  return [...readPrincipals(document, new Reading()).names];
}

function entriesOf(document: Fields, field: string, reading: Reading) {
  const value = own(document, field);
  return value === undefined ? [] : (reading.entries(value, `/${field}`) ?? []);
}

function readPrincipal(
  name: string,
  fields: Fields,
  pointer: string,
  type: unknown,
  reading: Reading,
): KnownPrincipal | undefined {
  if (typeof type !== "string" || !Object.hasOwn(types, type)) {
    const known = Object.keys(types).join(", ");
    reading.warn("unknown_type", place(pointer, "type"), `one of ${known} is expected: the principal is nobody`);
    return undefined;
  }
  const { fields: ofType, read } = types[type as keyof typeof types];
  const known = reading.allKnown(fields, pointer, [...common, ...ofType], "the principal is nobody");
  const validity = readValidity(fields, pointer, reading);
  const roles = reading.texts(own(fields, "roles") ?? [], place(pointer, "roles"), 0);
  const credential = read(fields, pointer, reading);
  return known && roles !== undefined && credential ? { ...credential, name, roles, validity } : undefined;
}

function byType(all: readonly KnownPrincipal[], reading: Reading): Omit<Principals, "names"> {
  const apiKeys = all.filter((one): one is ApiKeyPrincipal => one.type === "apiKey");
  const hmacs = all.filter((one): one is HmacPrincipal => one.type === "hmac");
  const jwts = all.filter((one): one is JwtPrincipal => one.type === "jwt");
  return { apiKeys: bounded(apiKeys), hmacs: bounded(hmacs), jwts: bounded(jwts) };

  function bounded<T extends KnownPrincipal>(list: readonly T[]): readonly T[] {
    let cost = 0;
    return list.filter((principal) => {
      const { name, type } = principal;
      cost += principal.type === "hmac" ? principal.secretRefs.length : 1;
      if (cost <= most[type]) return true;
      const what = type === "hmac" ? "secrets of signatures" : `principals of the type ${type}`;
      reading.warn("too_many", "/principals", `at most ${most[type]} ${what} are looked at: '${name}' is nobody`);
      return false;
    });
  }
}
