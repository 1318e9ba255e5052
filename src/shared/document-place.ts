/** Places in documents. All messages use one notation: JSON Pointers (RFC 6901). */

/** Keys and indexes, beginning at the root of a document. */
export type Path = readonly (string | number)[];

/** How many characters of a name are shown, since a document may have names of any length. */
const longestName = 100;

/** Extends the pointer by `name`, whose `~` and `/` are escaped. */
export function extendPointer(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).slice(0, longestName).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Formats a path as a pointer: `/mocks/0/respond`; "" is the whole document. */
export function pointerOf(path: Path): string {
  return path.reduce<string>(extendPointer, "");
}

/** Returns the keys of a pointer, all as texts. */
export function pathFrom(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
