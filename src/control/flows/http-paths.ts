/** Finds the values that belong to a request path. The only import of rou3, which interprets templates; find-my-way compiles them to code. */
import { addRoute, createRouter, findAllRoutes, removeRoute } from "rou3";
import { canonicalText, type HttpPath, parseHttpPath } from "../../shared/http-path.ts";
import type { HttpTrigger } from "../../shared/manifest.ts";

export interface HttpMatch<T> {
  readonly value: T;
  /** The decoded values of the path's parameters, in the order of their names. */
  readonly parameters: readonly string[];
}

interface Entry<T> {
  readonly path: HttpPath;
  readonly value: T;
}

/** All entries that were added under one key. */
interface Place<T> {
  readonly entries: Entry<T>[];
}

/** All methods share one tree of rou3. */
const anyMethod = "";

/** Parses the path of a trigger's manifest. Throws TypeError when it is not valid, which the check prevents. */
export function httpPathOf({ path, prefix }: HttpTrigger): HttpPath {
  const parsed = parseHttpPath(path, prefix);
  if ("problem" in parsed) throw new TypeError(`the path '${path.slice(0, 100)}' cannot be served: ${parsed.problem}`);
  return parsed;
}

export class HttpPaths<T> {
  /** By key; the key of a path without parameters and prefix is the path itself. */
  readonly #places = new Map<string, Place<T>>();
  readonly #router = createRouter<Place<T>>();
  #templates = 0;

  add(path: HttpPath, value: T): void {
    const present = this.#places.get(path.key);
    if (present !== undefined) {
      present.entries.push({ path, value });
      return;
    }
    const place: Place<T> = { entries: [{ path, value }] };
    this.#places.set(path.key, place);
    if (isExact(path)) return;
    addRoute(this.#router, anyMethod, patternOf(path), place);
    this.#templates += 1;
  }

  delete(path: HttpPath, value: T): void {
    const place = this.#places.get(path.key);
    const index = place?.entries.findIndex((entry) => entry.value === value) ?? -1;
    if (place === undefined || index < 0) return;
    place.entries.splice(index, 1);
    if (place.entries.length > 0) return;
    this.#places.delete(path.key);
    if (isExact(path)) return;
    removeRoute(this.#router, anyMethod, patternOf(path));
    this.#templates -= 1;
  }

  /**
   * Yields what matches a path of these decoded segments: exact paths before templates before prefixes, the most specific of each
   * first. Templates are searched only when the caller goes on after the exact paths.
   */
  *match(segments: readonly string[]): IterableIterator<HttpMatch<T>> {
    if (this.#places.size === 0) return;
    const slash = segments.length > 1 && segments.at(-1) === "";
    const path = `/${(slash ? segments.slice(0, -1) : segments).map(canonicalText).join("/")}`;
    yield* matching(this.#places.get(path), {}, slash, "exact");
    if (this.#templates === 0) return;
    const matches = findAllRoutes(this.#router, anyMethod, path).reverse();
    for (const { data, params } of matches) yield* matching(data, params, slash, "template");
    for (const { data, params } of matches) yield* matching(data, params, slash, "prefix");
  }
}

function isExact({ names, prefix }: HttpPath): boolean {
  return names.length === 0 && prefix === "none";
}

type Rank = "exact" | "template" | "prefix";

function* matching<T>(
  place: Place<T> | undefined,
  params: Readonly<Record<string, string>> | undefined,
  slash: boolean,
  rank: Rank,
): IterableIterator<HttpMatch<T>> {
  for (const { path, value } of place?.entries ?? []) {
    const own: Rank = path.prefix !== "none" ? "prefix" : path.names.length > 0 ? "template" : "exact";
    if (own !== rank || (path.slash && !slash)) continue;
    yield { value, parameters: path.names.map((_, index) => decodeURIComponent(params?.[`p${index}`] ?? "")) };
  }
}

/** `/orders/{id}/files*` -> `/orders/:p0/files*`: fixed text is canonical and so has no character that rou3 reads as its own. */
function patternOf({ segments, prefix }: HttpPath): string {
  let count = 0;
  const parts = segments.map(({ before, parameter, after }) => {
    if (!parameter) return `/${before}`;
    const name = `:p${count++}`;
    return before === "" && after === "" ? `/${name}` : `/${before}${name}(.+)${after}`;
  });
  const end = { none: "", text: "*", under: "/**" }[prefix];
  return `${parts.join("")}${end}`;
}
