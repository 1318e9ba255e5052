/** `{"type": "jwt", "issuer", "audience", "algorithms", "jwksUri" | "jwks", "rolesClaim", "typ"}`. */

import type { JwtPrincipal } from "../principals.ts";
import { type KeySet, keySet, privatePart } from "../schemes/jose.ts";
import { jwksUriProblem } from "../schemes/jwks-fetch.ts";
import { type Fields, isFields, own, place, type Reading } from "./reading.ts";

export const jwtFields = ["issuer", "audience", "algorithms", "jwksUri", "jwks", "rolesClaim", "typ"] as const;

/** RFC 7518 3.1 and RFC 8037: signatures that are checked with a public key. `none` and those of a shared secret are not among them. */
const algorithms: ReadonlySet<string> = new Set(
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" "),
);
const maxKeys = 100;

/** undefined: it is nobody. What is left out is never taken for "any" (RFC 8725 3.1, 3.8, 3.9). */
export function readJwt(
  fields: Fields,
  pointer: string,
  reading: Reading,
): Omit<JwtPrincipal, "name" | "roles" | "validity"> | undefined {
  const missing = ["issuer", "audience", "algorithms"].filter((name) => own(fields, name) === undefined);
  if (missing.length > 0) {
    reading.warn("jwt_incomplete", pointer, `tokens need ${missing.join(", ")} to be checked: the principal is nobody`);
    return undefined;
  }
  const issuer = reading.text(own(fields, "issuer"), place(pointer, "issuer"));
  const audience = reading.texts(own(fields, "audience"), place(pointer, "audience"));
  const accepted = readAlgorithms(own(fields, "algorithms"), place(pointer, "algorithms"), reading);
  const keys = readKeys(fields, pointer, reading);
  const rolesClaim = optionalText("rolesClaim");
  const typ = optionalText("typ");
  if (issuer === undefined || audience === undefined || accepted === undefined || keys === undefined) return undefined;
  if (rolesClaim === false || typ === false) return undefined;
  return { type: "jwt", issuer, audience, algorithms: accepted, keys, rolesClaim, typ };

  function optionalText(name: string): string | undefined | false {
    const value = own(fields, name);
    return value === undefined ? undefined : (reading.text(value, place(pointer, name)) ?? false);
  }
}

function readAlgorithms(value: unknown, pointer: string, reading: Reading): readonly string[] | undefined {
  const names = reading.texts(value, pointer);
  const [bad] = (names ?? []).filter((name) => !algorithms.has(name));
  if (bad === undefined) return names;
  const known = [...algorithms].join(", ");
  reading.warn(
    "jwt_algorithms",
    pointer,
    `'${bad.slice(0, 20)}' is not accepted, only ${known}: the principal is nobody`,
  );
  return undefined;
}

function readKeys(fields: Fields, pointer: string, reading: Reading): JwtPrincipal["keys"] | undefined {
  const uri = own(fields, "jwksUri");
  const jwks = own(fields, "jwks");
  if ((uri === undefined) === (jwks === undefined)) {
    reading.warn("jwt_incomplete", pointer, "tokens need jwksUri or jwks to be checked with: the principal is nobody");
    return undefined;
  }
  return uri === undefined
    ? inlineKeys(jwks, place(pointer, "jwks"), reading)
    : keysUri(uri, place(pointer, "jwksUri"), reading);
}

function keysUri(value: unknown, pointer: string, reading: Reading): string | undefined {
  const url = typeof value === "string" && value.length <= 2048 && URL.canParse(value) ? new URL(value) : undefined;
  const problem = url === undefined ? "a URL is expected" : jwksUriProblem(url);
  return problem === undefined ? url?.href : reading.bad(pointer, `${problem}: the principal is nobody`);
}

function inlineKeys(
  value: unknown,
  pointer: string,
  reading: Reading,
): (() => Promise<KeySet | undefined>) | undefined {
  const keys = isFields(value) ? own(value, "keys") : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxKeys || !keys.every(isFields)) {
    return reading.bad(
      pointer,
      `{"keys": [...]} with 1 to ${maxKeys} public keys is expected: the principal is nobody`,
    );
  }
  if (keys.some((key) => privatePart(key) !== undefined)) {
    const what = "a key with its private part is no secret any more";
    reading.warn(
      "inline_secret",
      pointer,
      `${what}: replace it at its owner and give the public part only; the principal is nobody`,
    );
    return undefined;
  }
  let made: Promise<KeySet | undefined> | undefined;
  return () => {
    made ??= keySet(value);
    return made;
  };
}
