/**
 * The only import of re2js: regular expressions of flows run in time linear in the text (no look-around, no
 * back-references).
 */
import type { Matcher, RE2JS } from "re2js";
import { exceptionMessage, FlowException, limitExceeded } from "./exception.ts";
import { loadLibrary } from "./library-files.ts";

export interface RegexFlags {
  readonly caseInsensitive?: boolean;
  readonly multiline?: boolean;
  readonly dotAll?: boolean;
}

/** One match; offsets count UTF-16 units. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  /** Groups from 1 on; undefined for a group that did not participate. */
  readonly groups: readonly ({ readonly start: number; readonly end: number } | undefined)[];
}

export interface Regex {
  /** The numbers of named groups. */
  readonly names: ReadonlyMap<string, number>;
  /** Returns the first match that begins at `from` or later. */
  match(text: string, from: number): RegexMatch | undefined;
  /** Whether the whole text matches (Java's `matches`). */
  matches(text: string): boolean;
  /** Whether a part of the text matches. */
  find(text: string): boolean;
  /** `replacement` is Java's: `$1`, `${name}`, `\$`. Throws LimitExceededException beyond `maxLength` characters. */
  replaceAll(text: string, replacement: string, maxLength: number): string;
  replaceFirst(text: string, replacement: string, maxLength: number): string;
  /** Java's `split`: drops empty parts at the end when `limit` is 0. */
  split(text: string, limit?: number): string[];
}

const maxPatternLength = 10_000;
let library: typeof import("re2js") | undefined;

/** Throws PatternSyntaxException (a FlowException) with the reason. */
export function compileRegex(pattern: string, flags: RegexFlags = {}): Regex {
  if (pattern.length > maxPatternLength) throw badPattern(`it has more than ${maxPatternLength} characters`);
  // Loaded on first use, so that a flow without regular expressions does not load it.
  library ??= loadLibrary("re2js") as typeof import("re2js");
  const { RE2JS: engine } = library;
  let compiled: RE2JS;
  try {
    compiled = engine.compile(
      pattern,
      (flags.caseInsensitive ? engine.CASE_INSENSITIVE : 0) |
        (flags.multiline ? engine.MULTILINE : 0) |
        (flags.dotAll ? engine.DOTALL : 0),
    );
  } catch (error) {
    throw badPattern(exceptionMessage(error).replace(/^error parsing regexp: /, ""));
  }
  return {
    names: new Map(Object.entries(compiled.namedGroups())),
    match: (text, from) => matchFrom(compiled, text, from),
    matches: (text) => compiled.testExact(text),
    find: (text) => compiled.test(text),
    replaceAll: (text, replacement, maxLength) => replace(compiled, text, replacement, maxLength, true),
    replaceFirst: (text, replacement, maxLength) => replace(compiled, text, replacement, maxLength, false),
    split: (text, limit = 0) => compiled.split(text, limit),
  };
}

/** The most patterns that a `regexCache` keeps. */
const maxCached = 32;

/**
 * Returns a compiler that keeps its latest patterns, for patterns that are known only at run time and rarely change.
 */
export function regexCache(flags: RegexFlags = {}): (pattern: string) => Regex {
  const kept = new Map<string, Regex>();
  return (pattern) => {
    const known = kept.get(pattern);
    if (known !== undefined) return known;
    const regex = compileRegex(pattern, flags);
    const [oldest] = kept.keys();
    if (kept.size === maxCached && oldest !== undefined) kept.delete(oldest);
    kept.set(pattern, regex);
    return regex;
  };
}

function matchFrom(regex: RE2JS, text: string, from: number): RegexMatch | undefined {
  const matcher = regex.matcher(text);
  if (from > text.length || !matcher.find(from)) return undefined;
  const groups = Array.from({ length: matcher.groupCount() }, (_, at) => {
    const start = matcher.start(at + 1);
    return start < 0 ? undefined : { start, end: matcher.end(at + 1) };
  });
  return { start: matcher.start(), end: matcher.end(), groups };
}

function replace(regex: RE2JS, text: string, replacement: string, maxLength: number, all: boolean): string {
  const matcher = regex.matcher(text);
  const parts = replacementParts(replacement, matcher.groupCount(), regex.namedGroups());
  let result = "";
  let end = 0;
  while (matcher.find()) {
    result += text.slice(end, matcher.start()) + expand(parts, matcher);
    end = matcher.end();
    if (result.length > maxLength) {
      throw limitExceeded("messageBodyBytes", `a text has at most ${maxLength} characters`);
    }
    if (!all) break;
  }
  return result + text.slice(end);
}

function expand(parts: readonly (string | number)[], matcher: Matcher): string {
  let text = "";
  for (const part of parts) text += typeof part === "string" ? part : (matcher.group(part) ?? "");
  return text;
}

/** Splits Java's replacement text into literal texts and group numbers (java.util.regex.Matcher.appendReplacement). */
function replacementParts(
  text: string,
  groups: number,
  named: Readonly<Record<string, number>>,
): readonly (string | number)[] {
  const parts: (string | number)[] = [];
  let literal = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") {
      i += 1;
      if (i === text.length) throw badReplacement("a character is missing after the last \\");
      literal += text[i];
    } else if (char === "$") {
      const name = /^\$(?:(\d)|\{([A-Za-z][A-Za-z0-9]*)\})/.exec(text.slice(i, i + 64));
      if (name === null) throw badReplacement("write \\$ for a dollar sign; $1 and ${name} are groups");
      let group = name[1] === undefined ? named[name[2] as string] : Number(name[1]);
      if (group === undefined || group > groups) throw badReplacement(`no group ${name[1] ?? name[2]}`);
      i += name[0].length - 1;
      // Reads digits as long as they name an existing group.
      while (name[1] !== undefined && /\d/.test(text[i + 1] ?? "") && group * 10 + Number(text[i + 1]) <= groups) {
        group = group * 10 + Number(text[++i]);
      }
      parts.push(literal, group);
      literal = "";
    } else literal += char;
  }
  parts.push(literal);
  return parts.filter((part) => part !== "");
}

function badPattern(reason: string): FlowException {
  return new FlowException(
    "java.util.regex.PatternSyntaxException",
    `bad regular expression: ${reason} (no look-around and no back-references here: matching takes linear time)`,
  );
}

function badReplacement(reason: string): FlowException {
  return new FlowException("java.lang.IllegalArgumentException", `bad replacement text: ${reason}`);
}
