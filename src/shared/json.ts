/**
 * Reads JSON for the management API and for threads: UTF-8 without a byte order mark, no repeated name in an object,
 * with a bound on depth.
 */
import { AppError } from "./errors.ts";
import { parseExactly } from "./exact-json.ts";
import { LongNumberError } from "./whole-numbers.ts";

const deepest = 256;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a body's text. Throws AppError `bad_request` for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError("bad_request", "the body is not UTF-8");
  }
}

/**
 * Parses the bytes, with whole numbers beyond 2^53 as bigint. Throws AppError `bad_json`, whose message contains
 * nothing of the text.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  if (text.startsWith("\ufeff")) throw bad("the body begins with a byte order mark: send UTF-8 without one");
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch (error) {
    if (error instanceof LongNumberError) throw bad(`the body has ${error.message}`);
    throw bad(`the body is not JSON${jsonPlace(text)}`);
  }
  checkNesting(text);
  return value;
}

const token = /[ \t\r\n{}[\],:]+|-?\d[\d.eE+-]*|true|false|null/y;

/**
 * Returns the place of a fault in a text that is not JSON, as the end of a message. V8 does not always report the
 * place, and repeats parts of the text, which may be a secret. Finds characters that belong to no JSON token; tokens in
 * the wrong order get no place.
 */
export function jsonPlace(text: string): string {
  if (text.trim() === "") return ": it is empty";
  let at = 0;
  let open = 0;
  while (at < text.length) {
    if (text.charCodeAt(at) === 0x22) {
      const end = endOfString(text, at);
      if (end === 0) return `: the string at ${position(text, at)} has no end`;
      at = end;
      continue;
    }
    token.lastIndex = at;
    if (!token.test(text)) return `: see ${position(text, at)}`;
    for (; at < token.lastIndex; at += 1) {
      const character = text.charAt(at);
      if (character === "{" || character === "[") open += 1;
      else if (character === "}" || character === "]") open -= 1;
    }
  }
  if (open > 0) return ": a closing bracket is missing, at its end or before";
  return "; its words are, but not their order: look for a missing or extra comma, colon or bracket";
}

function position(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split("\n").length}, column ${at - before.lastIndexOf("\n")}`;
}

/**
 * Walks a valid JSON text and refuses repeated names. RFC 8259 leaves their meaning open, and two readers that disagree
 * about it are a security hole.
 */
function checkNesting(text: string): void {
  /** Names seen in each open object; undefined for an array and for an object without names yet. */
  const seen: (Set<string> | undefined)[] = [];
  let at = 0;
  while (at < text.length) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        if (isName(text, end)) {
          const name: unknown = JSON.parse(text.slice(at, end));
          const names = seen[seen.length - 1] ?? new Set();
          seen[seen.length - 1] = names;
          if (names.has(String(name))) throw bad(`the body has a name twice in one object (at character ${at + 1})`);
          names.add(String(name));
        }
        at = end;
        continue;
      }
      case 0x7b:
      case 0x5b:
        seen.push(undefined);
        if (seen.length > deepest) throw bad(`the body is nested deeper than ${deepest} levels`);
        break;
      case 0x7d:
      case 0x5d:
        seen.pop();
        break;
    }
    at += 1;
  }
}

/**
 * Returns the index after the closing quote of the string that begins at `start`; 0 without one. Reads no further than
 * that quote.
 */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return 0;
}

/** In JSON a colon follows names only. */
function isName(text: string, from: number): boolean {
  let at = from;
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

function bad(message: string): AppError {
  return new AppError("bad_json", message);
}
