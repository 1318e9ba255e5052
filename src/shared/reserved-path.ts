/** Refuses HTTP paths of a flow that could match a path of the management API or of another route. */

const reserved = "_api";
const triggers = "api";
/** Stands for the part of a template that a caller fills in, since no path contains this character. */
const wildcard = "\u0000";
/** Stands for a part of a template that may contain slashes. */
const deepWildcard = "\u0001";

/**
 * Returns why a path, template or wildcard pattern of a route may not be served; undefined when it may. A path is read
 * as the most lenient server would: percent-decoded until it no longer changes, `\` as `/`, slashes collapsed, dot
 * segments removed, case folded, matrix parameters cut. `{name}`, `{name:regex}`, `:name`, `*` and `**` match anything.
 * `prefix`: longer paths match as well (Camel's matchOnUriPrefix).
 */
export function reservedPathProblem(path: string, options: { readonly prefix?: boolean } = {}): string | undefined {
  const readings = [path, withoutAuthority(path)].map(plainPath);
  for (const reading of readings) {
    const problem = readingProblem(reading, options.prefix ?? false);
    if (problem !== undefined)
      return `the path '${path.slice(0, 200)}' ${problem}; choose a path outside of /${reserved}`;
  }
  return undefined;
}

/**
 * As reservedPathProblem, for `/api`, whose paths belong to route ids: a route may only have `/api/<its id>`, and any
 * path that could match another one is refused.
 */
export function foreignPathProblem(
  path: string,
  routeId: string,
  options: { readonly prefix?: boolean } = {},
): string | undefined {
  const prefix = options.prefix ?? false;
  if (!prefix && path.replace(/^(?!\/)/, "/") === `/${triggers}/${routeId}`) return undefined;
  const reach = reachOf(plainPath(path), prefix, triggers);
  if (reach === undefined) return undefined;
  return `the path '${path.slice(0, 200)}' ${reach} /${triggers}, where paths are route ids: this route's own is /${triggers}/${routeId}`;
}

function readingProblem(path: string, prefix: boolean): string | undefined {
  const reach = reachOf(path, prefix, reserved);
  return reach === undefined ? undefined : `${reach} /${reserved}, which belongs to the runtime`;
}

/** Describes how a path in plain form can match paths that begin with the segment `root`; undefined when it cannot. */
function reachOf(path: string, prefix: boolean, root: string): string | undefined {
  const pattern = hideTemplates(path) + (prefix ? deepWildcard : "");
  const hasWildcard = pattern.includes(wildcard) || pattern.includes(deepWildcard);
  const raw = pattern.split("/").filter((segment) => segment !== "");
  if (hasWildcard && raw.some((segment) => segment === "." || segment === "..")) {
    return "mixes dot segments with wildcards and could match a path under";
  }
  const [first] = withoutDots(raw);
  if (first === undefined) return undefined;
  if (first === root) return "is or lies under";
  if (matches(first, root) || first.includes(deepWildcard)) {
    // A deep wildcard after other text (`a**`) matches only paths that begin with that text.
    const fixed = first.replaceAll(deepWildcard, wildcard).split(wildcard)[0] as string;
    if (root.startsWith(fixed)) return "could match a path under";
  }
  return undefined;
}

/** Normalizes a path: decoded, folded, cut at the query; `/` between segments, leading slashes not significant. */
function plainPath(path: string): string {
  let text = path;
  for (let round = 0; round < 16; round++) {
    const decoded = decodeOnce(text);
    if (decoded === text) break;
    text = decoded;
  }
  const cut = cutQuery(text.normalize("NFKC").replaceAll("\\", "/"));
  return cut
    .toLowerCase()
    .split("/")
    .map((segment) => stripInvisible(segment))
    .join("/");
}

/** A `{name:regex}` may contain `?` and `#`, so only those outside braces end the path. */
function cutQuery(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "{") depth += 1;
    else if (c === "}") depth = Math.max(0, depth - 1);
    else if (depth === 0 && (c === "?" || c === "#")) return text.slice(0, i);
  }
  return text;
}

/** Replaces each valid escape by its byte. Bytes are not joined to characters, since only ASCII matters here. */
function decodeOnce(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Removes control characters, white space and matrix parameters, which servers treat differently. */
function stripInvisible(segment: string): string {
  const visible = segment.replaceAll(/[\p{C}\p{Z}\s]/gu, "");
  const semicolon = visible.indexOf(";");
  return semicolon < 0 ? visible : visible.slice(0, semicolon);
}

/** `http://host:80/path` -> `/path` */
function withoutAuthority(path: string): string {
  return path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\\]*/i, "");
}

/** Replaces templates by wildcard characters; an unclosed brace matches the rest. */
function hideTemplates(path: string): string {
  let out = "";
  for (let i = 0; i < path.length; i++) {
    const c = path[i] as string;
    if (c === "{") {
      const end = closingBrace(path, i);
      // A template with its own regex, or an unclosed one, may match slashes.
      out += end === path.length || path.slice(i, end).includes(":") ? deepWildcard : wildcard;
      i = end;
    } else if (c === "*") {
      const deep = path[i + 1] === "*" || i === path.length - 1;
      while (path[i + 1] === "*") i += 1;
      out += deep ? deepWildcard : wildcard;
    } else if (c === ":" && (out === "" || out.endsWith("/"))) {
      out += wildcard;
      while (i + 1 < path.length && path[i + 1] !== "/") i += 1;
    } else out += c;
  }
  return out;
}

/** Returns the index of the brace that closes the one at `open`; the text's length when none does. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "{") depth += 1;
    else if (text[i] === "}" && --depth === 0) return i;
  }
  return text.length;
}

function withoutDots(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  return kept;
}

/** Matches a glob in linear space: greedy, with one point to go back to. */
function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const c = pattern[p];
    if (c === wildcard || c === deepWildcard) {
      star = p++;
      mark = t;
    } else if (c === text[t]) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === wildcard || pattern[p] === deepWildcard) p += 1;
  return p === pattern.length;
}
