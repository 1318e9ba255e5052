/** Addresses of the page: `#/flows/orders?tab=yaml`. The server sees none of it. */
export interface Address {
  /** The first segment: the screen. */
  readonly screen: string;
  /** Further segments. */
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Reads the hash of a location. What cannot be decoded stays as it is. */
export function readHash(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [screen = "", ...rest] = path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded);
  return { screen, rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The hash for an address; segments may hold any characters. */
export function hashOf(segments: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${segments.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
