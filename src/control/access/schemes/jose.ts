/** The door of jose, which is loaded with the first token: keys and tokens of RFC 7517 and 7519, checked as RFC 8725 asks. */
import type { JSONWebKeySet, LocalJWKSet } from "jose";
import { isFields } from "../../../shared/document-fields.ts";

/** Public keys, ready to be chosen from by a token's header. */
export type KeySet = LocalJWKSet;

export interface TokenChecks {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly typ: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Clocks differ by so much. */
const skewSeconds = 60;
const privateParts = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
let loaded: Promise<typeof import("jose")> | undefined;

function load(): Promise<typeof import("jose")> {
  loaded ??= import("jose");
  return loaded;
}

/** What these keys have that nobody but their owner may have; undefined: nothing. */
export function privatePart(key: unknown): string | undefined {
  return isFields(key) ? privateParts.find((name) => Object.hasOwn(key, name)) : undefined;
}

/** undefined: this is no set of keys. Those in it with a private part verify nothing: jose refuses them. */
export async function keySet(document: unknown): Promise<KeySet | undefined> {
  const keys = isFields(document) ? document["keys"] : undefined;
  if (!Array.isArray(keys) || !keys.every(isFields)) return undefined;
  const { createLocalJWKSet } = await load();
  try {
    return createLocalJWKSet({ keys: keys as JSONWebKeySet["keys"] });
  } catch {
    return undefined;
  }
}

/** What a token claims before anything of it has been checked; undefined: it is no token. */
export async function unverifiedIssuer(token: string): Promise<string | undefined> {
  const { decodeJwt } = await load();
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/**
 * The claims of a token that one of these keys has signed and that is for us, now; it must have `exp` and `sub`. Only the keys that are
 * given count: `jku`, `x5u` and `jwk` of its header are not looked at (RFC 8725 3.10). Text: what is wrong with it. `unknownKey`: none
 * of the keys is the one that it names, so there may be newer ones.
 */
export async function verify(
  token: string,
  keys: KeySet,
  { issuer, audience, algorithms, typ, now }: TokenChecks,
): Promise<{ readonly claims: Claims } | { readonly problem: string; readonly unknownKey: boolean }> {
  const { errors, jwtVerify } = await load();
  try {
    const { payload } = await jwtVerify(token, (header, jws) => keys(header, jws), {
      issuer,
      audience: [...audience],
      algorithms: [...algorithms],
      ...(typ !== undefined && { typ }),
      currentDate: new Date(now),
      clockTolerance: skewSeconds,
      requiredClaims: ["exp", "sub"],
    });
    return { claims: payload };
  } catch (error) {
    const unknownKey = error instanceof errors.JWKSNoMatchingKey;
    return { problem: error instanceof errors.JOSEError ? error.message : "it cannot be verified", unknownKey };
  }
}
