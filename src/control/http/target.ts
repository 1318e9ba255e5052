/** Parses request targets. Authentication and dispatch use the same result, so that both read a target the same way. */

export type Area = "management" | "trigger" | "other";

export interface Target {
  /** `management`: `/_api` and below; `trigger`: `/api` and below. */
  readonly area: Area;
  /** The path as sent. */
  readonly path: string;
  /** The path's segments, decoded once; a trailing slash gives an empty last one. */
  readonly segments: readonly string[];
  /** The text after `?` as sent; "" when there is none. */
  readonly search: string;
  /** The query's pairs, decoded (`+` is a space), in the order sent. */
  readonly query: QueryPairs;
}

export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Why a target was refused; the text may be sent to the caller. */
export interface TargetProblem {
  readonly problem: string;
}

/**
 * No escapes, no dot segments, no query: the form that nearly every caller sends. Each segment is bounded by a slash,
 * so matching is linear.
 */
const plainPath = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;
const visibleAscii = /^[\x21-\x7e]*$/;
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
const escapes = /%[0-9A-Fa-f]{2}/g;
const unreserved = /[A-Za-z0-9._~-]/;
const noPairs: QueryPairs = [];

/**
 * Reads an origin-form target (RFC 9112 3.2.1) in normal form (RFC 3986 6.2.2): no `//`, no dot segments, no escape of
 * a slash, a backslash, a control or a character that needs none. Any other form is refused, never repaired: a proxy in
 * front and this runtime must not read one target in two ways.
 */
export function parseTarget(raw: string): Target | TargetProblem {
  if (plainPath.test(raw)) {
    const segments = raw.slice(1).split("/");
    return { area: areaOf(segments), path: raw, segments, search: "", query: noPairs };
  }
  if (!raw.startsWith("/")) return { problem: "the request target must be a path that begins with '/'" };
  if (!visibleAscii.test(raw)) return { problem: "the request target must be ASCII; escape other characters" };
  if (raw.includes("#")) return { problem: "the request target must not have a fragment ('#')" };
  const mark = raw.indexOf("?");
  const path = mark < 0 ? raw : raw.slice(0, mark);
  const search = mark < 0 ? "" : raw.slice(mark + 1);
  const segments = readPath(path);
  if ("problem" in segments) return segments;
  const query = readQuery(search);
  if ("problem" in query) return query;
  return { area: areaOf(segments), path, segments, search, query };
}

function areaOf(segments: readonly string[]): Area {
  if (segments[0] === "_api") return "management";
  return segments[0] === "api" ? "trigger" : "other";
}

function readPath(path: string): string[] | TargetProblem {
  if (path.includes("\\")) return { problem: "the path must not have a backslash" };
  const parts = path.slice(1).split("/");
  const segments: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (part === "" && index < parts.length - 1) return { problem: "the path must not have '//'" };
    if (part === "." || part === "..") return { problem: "the path must not have the segments '.' or '..'" };
    if (!part.includes("%")) {
      segments.push(part);
      continue;
    }
    const problem = escapeProblem(part);
    if (problem !== undefined) return { problem };
    const decoded = decode(part);
    if (decoded === undefined) return { problem: "the path's escapes are not UTF-8" };
    segments.push(decoded);
  }
  return segments;
}

function escapeProblem(part: string): string | undefined {
  if (brokenEscape.test(part)) return "the path has a '%' that two hexadecimal digits do not follow";
  for (const [sequence] of part.matchAll(escapes)) {
    const code = Number.parseInt(sequence.slice(1), 16);
    const character = String.fromCharCode(code);
    if (character === "/" || character === "\\") return `the path must not have '${sequence}'`;
    if (code < 0x20 || code === 0x7f) return `the path must not have the control character '${sequence}'`;
    if (unreserved.test(character)) return `write '${character}' in place of '${sequence}' in the path`;
  }
  return undefined;
}

/** Reads the pairs of a query (`application/x-www-form-urlencoded`), or returns what is wrong with it. */
function readQuery(search: string): QueryPairs | TargetProblem {
  if (search === "") return noPairs;
  const pairs: [string, string][] = [];
  for (const piece of search.split("&")) {
    if (piece === "") continue;
    const equals = piece.indexOf("=");
    const name = decodeForm(equals < 0 ? piece : piece.slice(0, equals));
    const value = decodeForm(equals < 0 ? "" : piece.slice(equals + 1));
    if (name === undefined || value === undefined) return { problem: "the query has a bad escape" };
    pairs.push([name, value]);
  }
  return pairs;
}

function decodeForm(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return spaced.includes("%") ? decode(spaced) : spaced;
}

/**
 * Decodes escapes; undefined for a broken escape and for bytes that are not UTF-8 (overlong forms and surrogates
 * included).
 */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
