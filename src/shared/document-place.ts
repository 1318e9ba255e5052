/** Places in documents. Every message names them in one notation: JSON Pointers (RFC 6901). */

/** Keys and indexes from the root of a document on. */
export type Path = readonly (string | number)[];

/** A name comes from the document and may be as long as it likes: of a longer one the beginning is shown. */
const longestName = 100;

/** The place of `name` inside of what stands at `pointer`; `~` and `/` in it are escaped. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).slice(0, longestName).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** `/mocks/0/respond`; "" is the whole document. */
export function pointerOf(path: Path): string {
  return path.reduce<string>(below, "");
}

/** The keys of a pointer, all as texts. */
export function pathFrom(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}
