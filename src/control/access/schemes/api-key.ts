/**
 * API keys, stored as their SHA-256 only, which is enough for random keys; a slow hash would let strangers use up CPU
 * time.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { type ApiKeyPrincipal, type Finding, invalid } from "../principals.ts";
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

const leastCharacters = 32;
/** Bits by the text's own distribution of characters; 32 random hexadecimal digits have about 110. */
const leastBits = 80;

/**
 * Whether a header can carry the key: no control characters, and no white space at its ends, which usually come from a
 * copied line end.
 */
export function isSendable(key: string): boolean {
  return key !== "" && key === key.trim() && !/\p{Cc}/u.test(key);
}

/** Whether the key could be guessed: a fast hash stores it, so it has to be random and long. */
export function isWeak(key: string): boolean {
  return key.length < leastCharacters || shannonBits(key) < leastBits;
}

function shannonBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}
