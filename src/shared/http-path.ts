/** Reads the path of a platform-http route as Camel and Vert.x Web do: fixed text, `{name}` parameters, a prefix. */
import { isSteeringHeader } from "./http-headers.ts";

export interface HttpSegment {
  /** Fixed text before and after the parameter, in canonical form; a segment without a parameter has only `before`. */
  readonly before: string;
  readonly parameter: boolean;
  readonly after: string;
}

export interface HttpPath {
  /**
   * Equal for two paths that match the same requests, whatever the names of their parameters: `/orders/{}/items`,
   * `/files*`.
   */
  readonly key: string;
  readonly segments: readonly HttpSegment[];
  /** The parameters' names in the order of their segments. */
  readonly names: readonly string[];
  /**
   * `text`: every path that begins with this text (`/files*`); `under`: the path and all paths below it (`/files/*`).
   */
  readonly prefix: "none" | "text" | "under";
  /** true: only requests that end in a slash match; else a final slash is ignored. */
  readonly slash: boolean;
}

export interface HttpPathProblem {
  readonly problem: string;
}

const longest = 1000;
const nameGrammar = /^[A-Za-z_][\w-]*$/;

/**
 * Reads a path with Camel's `{name}` or Vert.x Web's `:name`, one parameter per segment. With `prefix`
 * (matchOnUriPrefix) or a final `*` longer paths match too, as plain text: `/files` then matches `/files2` (Vert.x Web:
 * RouteState.pathMatches).
 */
export function parseHttpPath(text: string, prefix = false): HttpPath | HttpPathProblem {
  if (text.length > longest) return { problem: `a path has at most ${longest} characters` };
  const rooted = text.startsWith("/") ? text : `/${text}`;
  const starred = rooted.endsWith("*");
  const plain = starred ? rooted.slice(0, -1) : rooted;
  if (plain.includes("*")) return { problem: "'*' stands only at the end of a path" };
  const parts = plain.slice(1).split("/");
  const slash = parts.at(-1) === "";
  if (slash) parts.pop();
  const segments: HttpSegment[] = [];
  const names: string[] = [];
  for (const part of parts) {
    const segment = readSegment(part, names);
    if ("problem" in segment) return segment;
    segments.push(segment);
  }
  const last = segments.at(-1);
  const reaches = prefix || starred;
  if (reaches && !slash && last?.parameter === true && last.after !== "") {
    return { problem: "a prefix ends in fixed text, a slash or a whole parameter" };
  }
  const below = slash || last === undefined || last.parameter;
  const kind = reaches ? (below ? "under" : "text") : "none";
  const fixed = segments.map(({ before, parameter, after }) => `${before}${parameter ? "{}" : ""}${after}`).join("/");
  const end = { none: "", text: "*", under: segments.length === 0 ? "*" : "/*" }[kind];
  return {
    key: `/${fixed}${end}`,
    segments,
    names,
    prefix: kind,
    slash: slash && kind === "none" && segments.length > 0,
  };
}

/** Escapes all characters except RFC 3986's unreserved ones, so that each text has one spelling. */
export function canonicalText(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function readSegment(part: string, names: string[]): HttpSegment | HttpPathProblem {
  if (part === "") return { problem: "a path has no '//'" };
  const found = /^([^{}:]*)\{([^{}]*)\}([^{}:]*)$/.exec(part) ?? /^()(?::)([^{}:]*)()$/.exec(part);
  if (found === null) {
    if (/[{}:]/.test(part)) return { problem: `'${part}' is not fixed text with at most one {name}; a colon is %3A` };
    return fixedText(part, "");
  }
  const [, before = "", name = "", after = ""] = found;
  if (!nameGrammar.test(name)) return { problem: `'${name}' is not the name of a parameter: letters, digits, _ and -` };
  if (isSteeringHeader(name)) return { problem: `a parameter cannot set Camel's own header '${name}'` };
  if (names.some((other) => other.toLowerCase() === name.toLowerCase())) {
    return { problem: `two parameters are called '${name}'` };
  }
  names.push(name);
  const text = fixedText(before, after);
  return "problem" in text ? text : { ...text, parameter: true };
}

/** Reads fixed text and decodes its escapes once; refuses text that no request path can contain (http/target.ts). */
function fixedText(before: string, after: string): HttpSegment | HttpPathProblem {
  const decoded: string[] = [];
  for (const text of [before, after]) {
    try {
      decoded.push(text.includes("%") ? decodeURIComponent(text) : text);
    } catch {
      return { problem: `'${text}' has an escape that is not UTF-8` };
    }
  }
  const [first = "", second = ""] = decoded;
  if (first === "." || first === "..") return { problem: "a path has no segments '.' and '..'" };
  if (/[/\\?#\p{Cc}]/u.test(first + second)) {
    return { problem: `'${before}${after}' has a character that no request's path has` };
  }
  return { before: canonicalText(first), parameter: false, after: canonicalText(second) };
}

/** Returns a method that both lists have, `every method` when both lists are empty; an empty list means all methods. */
export function sharedMethod(a: readonly string[], b: readonly string[]): string | undefined {
  if (a.length === 0) return b[0] ?? "every method";
  return b.length === 0 ? a[0] : a.find((method) => b.includes(method));
}
