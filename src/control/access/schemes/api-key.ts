/**
 * API keys, stored as their SHA-256 only, which is enough for random keys; a slow hash would let strangers use up CPU
 * time.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { type Finding, invalid } from "../finding.ts";
import type { ApiKeyPrincipal } from "../principals.ts";
import { invalidity } from "../validity.ts";

/** The key's SHA-256 in lower-case hexadecimal. */
export function keyHash(key: string): string {
  return hash("sha256", key);
}

/**
 * Finds whose key a header's value is. Compares with every key of every principal, digest against digest, so that the
 * time reveals neither length nor prefix nor which one matched. Header values arrive as Latin-1, a character a byte.
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
