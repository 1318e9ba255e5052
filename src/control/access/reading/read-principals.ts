/**
 * Reads `principals`, as an object by name or as a list, and `apiKeys`. An entry that is not understood matches no
 * caller; the others are not affected.
 */
import { type Fields, isFields, readOwn } from "../../../shared/document-fields.ts";
import type { Path } from "../../../shared/document-place.ts";
import type { ApiKeyPrincipal, HmacPrincipal, JwtPrincipal, KnownPrincipal, Principals } from "../principals.ts";
import { readValidity, validityFields } from "../validity.ts";
import { apiKeyFields, readApiKey } from "./read-api-key.ts";
import { hmacFields, readHmac } from "./read-hmac.ts";
import { jwtFields, readJwt } from "./read-jwt.ts";
import { anything, type Entry, entries, policyFields, Reading, texts } from "./reading.ts";

const effect = "the principal is nobody";
const common = { type: anything, name: anything, id: anything, roles: texts(0).nullish(), ...validityFields };

const apiKey = policyFields({ ...common, ...apiKeyFields });
const hmac = policyFields({ ...common, ...hmacFields }).transform(({ roles, ...sent }, context) => ({
  roles,
  credential: readHmac(sent, context),
}));
const jwt = policyFields({ ...common, ...jwtFields }).transform(({ roles, ...sent }, context) => ({
  roles,
  credential: readJwt(sent, context),
}));
const types = ["apiKey", "token", "hmac", "jwt"] as const;

/** Without a colon, since `idp:alice` names a token's bearer. */
const nameGrammar = /^[\w.@-]{1,100}$/;
/**
 * The most principals of each type. For hmac it counts their secrets together: each costs a hash of the whole body of
 * any request with a signature.
 */
const most = { apiKey: 1000, hmac: 10, jwt: 20 } as const;

export interface PrincipalsRead extends Principals {
  /** The names under `apiKeys`. */
  readonly short: readonly string[];
}

export function readPrincipals(document: Fields, reading: Reading): PrincipalsRead {
  const names = new Set<string>();
  const read: KnownPrincipal[] = [];
  const short: string[] = [];
  for (const entry of entriesOf(document, "principals", reading)) {
    readOne(entry, "principals", isFields(entry.value) ? readOwn(entry.value, "type") : undefined);
  }
  for (const entry of entriesOf(document, "apiKeys", reading)) {
    const type = (isFields(entry.value) ? readOwn(entry.value, "type") : undefined) ?? "apiKey";
    const name = readOne(entry, "apiKeys", type);
    if (name !== undefined) short.push(name);
  }
  const kept = byType(read, reading);
  warnOfSharedKeys(kept.apiKeys, reading);
  return { ...kept, names, short };

  function readOne({ name: given, key, value }: Entry, field: string, type: unknown): string | undefined {
    const path = [field, key];
    const bad = (code: string, message: string) => reading.warn(code, path, `${message}: ${effect}`);
    if (!isFields(value)) return bad("bad_value", "an object is expected");
    const name = given === "" ? (readOwn(value, "name") ?? readOwn(value, "id")) : given;
    if (typeof name !== "string" || !nameGrammar.test(name)) {
      return bad("bad_value", "a name of 1 to 100 letters, digits, '.', '_', '@' and '-' is needed");
    }
    if (names.has(name)) return bad("duplicate_principal", `the name '${name}' is taken by another`);
    names.add(name);
    const principal = readPrincipal(name, value, path, type, reading);
    if (principal !== undefined) read.push(principal);
    return name;
  }
}

/** Warns of a key that several principals have: the key identifies only the first of them. */
function warnOfSharedKeys(apiKeys: readonly ApiKeyPrincipal[], reading: Reading): void {
  const owners = new Map<string, string>();
  for (const { name, keys } of apiKeys) {
    for (const { digest } of keys) {
      const owner = owners.get(digest.toString("hex")) ?? name;
      owners.set(digest.toString("hex"), owner);
      if (owner === name) continue;
      reading.warn(
        "duplicate_key",
        ["principals"],
        `'${name}' has a key of '${owner}': whoever presents it is '${owner}'`,
      );
    }
  }
}

/** Names all principals of a document, also those that cannot be read. */
export function principalNames(document: Fields): readonly string[] {
  return [...readPrincipals(document, new Reading()).names];
}

function entriesOf(document: Fields, field: string, reading: Reading): readonly Entry[] {
  const value = readOwn(document, field);
  return value === undefined ? [] : (reading.read(entries, value, [field], "nobody of them is known") ?? []);
}

function readPrincipal(
  name: string,
  value: Fields,
  path: Path,
  type: unknown,
  reading: Reading,
): KnownPrincipal | undefined {
  const known = types.find((one) => one === type);
  if (known === undefined) {
    reading.warn("unknown_type", [...path, "type"], `one of ${types.join(", ")} is expected: ${effect}`);
    return undefined;
  }
  const validity = readValidity(value, path, reading);
  const read = readCredential(known, value, path, reading);
  return read && { ...read.credential, name, roles: read.roles ?? [], validity };
}

/** `token` is another name for apiKey. */
function readCredential(type: (typeof types)[number], value: Fields, path: Path, reading: Reading) {
  if (type === "hmac") return reading.read(hmac, value, path, effect);
  if (type === "jwt") return reading.read(jwt, value, path, effect);
  const sent = reading.read(apiKey, value, path, effect);
  const credential = sent && readApiKey(sent, path, reading);
  return credential && { roles: sent.roles, credential };
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
      reading.warn("too_many", ["principals"], `at most ${most[type]} ${what} are looked at: '${name}' is nobody`);
      return false;
    });
  }
}
