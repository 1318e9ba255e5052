/**
 * The only import of jose, which is loaded with the first token: keys and tokens of RFC 7517 and 7519, checked as RFC
 * 8725 asks.
 */
import type { JSONWebKeySet, LocalJWKSet } from "jose";
import { isFields } from "../../../shared/document-fields.ts";

/** Public keys, from which a token's header selects one. */
export type KeySet = LocalJWKSet;

export interface TokenChecks {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly typ: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type JwtClaims = Readonly<Record<string, unknown>>;

/** How much clocks may differ, in seconds. */
const skewSeconds = 60;
const privateParts = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
let loaded: Promise<typeof import("jose")> | undefined;

function load(): Promise<typeof import("jose")> {
  loaded ??= import("jose");
  return loaded;
}

/** Names the part of a key that only its owner may have; undefined: there is none. */
export function privatePart(key: unknown): string | undefined {
  return isFields(key) ? privateParts.find((name) => Object.hasOwn(key, name)) : undefined;
}

/** Reads a set of keys; undefined: it is not one. Keys with a private part verify nothing: jose refuses them. */
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

/** Returns a token's issuer before anything has been checked; undefined: it is not a token. */
export async function unverifiedIssuer(token: string): Promise<string | undefined> {
  const { decodeJwt } = await load();
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/**
 * Returns the claims of a token that one of these keys has signed and that is valid now; it must have `exp` and `sub`.
 * Only the given keys count: `jku`, `x5u` and `jwk` of its header are ignored (RFC 8725 3.10). `problem`: what is wrong
 * with the token. `unknownKey`: it names none of the keys, so there may be newer ones.
 */
export async function verify(
  token: string,
  keys: KeySet,
  { issuer, audience, algorithms, typ, now }: TokenChecks,
): Promise<{ readonly claims: JwtClaims } | { readonly problem: string; readonly unknownKey: boolean }> {
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
