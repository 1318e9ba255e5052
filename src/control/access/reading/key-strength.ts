/**
 * Finds keys that no header could carry, and keys that could be guessed: a fast hash stores them, so they have to be
 * random and long.
 */

const leastCharacters = 32;
/** Bits by the text's own distribution of characters; 32 random hexadecimal digits have about 110. */
const leastBits = 80;

/**
 * Whether a header can carry the key: no control characters, and no white space at its ends, where a line end was
 * mostly copied along.
 */
export function isSendable(key: string): boolean {
  return key !== "" && key === key.trim() && !/\p{Cc}/u.test(key);
}

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
