/** Keys that nobody could send, and keys that could be guessed: they are kept by a fast hash, so they have to be random and long. */

const leastCharacters = 32;
/** Of the text's own distribution of characters; random hexadecimal digits, 32 of them, have about 110. */
const leastBits = 80;

/** A header brings no control characters, and no white space at its ends: a line end that was copied along, mostly. */
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
