/** API keys: kept as their SHA-256 only, which is enough for keys that are random; a slow hash would be a lever for strangers. */
import { hash, timingSafeEqual } from "node:crypto";
import { type Finding, invalid } from "../finding.ts";
import type { ApiKeyPrincipal } from "../principals.ts";
import { invalidity } from "../validity.ts";

/** Hexadecimal, lower case. */
export function keyHash(key: string): string {
  return hash("sha256", key);
}

/**
 * Whose key this value of a header is. Compares with every key of every principal, digest against digest, so that neither length nor
 * prefix nor which one matched shows in the time. Header values arrive as Latin-1, a character a byte.
 */
export function findApiKey(presented: string, principals: readonly ApiKeyPrincipal[], now: number): Finding {
  const seen = hash("sha256", Buffer.from(presented, "latin1"), "buffer");
  let found: Finding | undefined;
  for (const { name, roles, validity, keys } of principals) {
    for (const key of keys) {
      if (!timingSafeEqual(seen, key.digest) || found?.kind === "known") continue;
      const problem = invalidity(validity, now) ?? invalidity(key.validity, now);
      found = problem
        ? invalid(`a key of principal '${name}' is ${problem}`)
        : { kind: "known", principal: { id: name, type: "apiKey", roles } };
    }
  }
  return found ?? invalid("an API key that no principal has");
}
