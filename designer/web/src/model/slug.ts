/** Makes ids of names. */

/** Letters that decomposition leaves as they are. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "ss",
  ø: "o",
  Ø: "o",
  æ: "ae",
  Æ: "ae",
  œ: "oe",
  Œ: "oe",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
  ð: "d",
  Ð: "d",
  þ: "th",
  Þ: "th",
  ħ: "h",
  Ħ: "h",
  ı: "i",
  ŋ: "n",
  Ŋ: "n",
};
/** Paths that are not for flows, and names of devices of Windows. */
const reserved = /^(?:_?api|designer|flow|con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const longest = 63;

/** Returns an id `^[a-z0-9][a-z0-9-]{0,62}$` for a name that is not in `taken`: `orders`, `orders-2`, ... */
export function slug(name: string, taken: ReadonlySet<string> = new Set()): string {
  const plain = [...name].map((letter) => letters[letter] ?? letter).join("");
  const made = plain
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, longest)
    .replace(/-+$/, "");
  const base = made === "" ? "flow" : reserved.test(made) ? `${made}-flow` : made;
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? "" : `-${number}`;
    const id = base.slice(0, longest - end.length).replace(/-+$/, "") + end;
    if (!taken.has(id)) return id;
  }
}
