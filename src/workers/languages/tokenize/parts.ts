/**
 * Splits a text: at delimiters (Camel: org.apache.camel.util.Scanner, which is Java's), between a start and an end
 * token (TokenPairExpressionIterator), and in groups (GroupTokenIterator, SkipIterator).
 */
import { limitExceeded } from "../../engine/exception.ts";
import type { Regex } from "../../engine/regex.ts";

/**
 * Skips one delimiter before each token: a first and a last delimiter make no empty tokens, two in a row make one. A
 * delimiter that matches nothing separates every character.
 */
export function* tokensOf(text: string, delimiter: Regex): Generator<string> {
  let at = 0;
  for (;;) {
    const ahead = delimiter.match(text, at);
    if (ahead?.start === at) at = ahead.end;
    if (at >= text.length) return;
    let next = ahead !== undefined && ahead.start > at ? ahead : delimiter.match(text, at);
    if (next !== undefined && next.end === at) next = delimiter.match(text, at + 1);
    const end = next?.start ?? text.length;
    yield text.slice(at, end);
    at = end;
  }
}

export function skipFirst(parts: Iterator<string>): Iterator<string> {
  parts.next();
  return parts;
}

/** Throws LimitExceededException for a group of more than `most` characters. */
export function* grouped(parts: Iterator<string>, count: number, delimiter: string, most: number): Generator<string> {
  for (let group: string[] = []; ; group = []) {
    let length = 0;
    while (group.length < count) {
      const { done, value } = parts.next();
      if (done) break;
      length += value.length + delimiter.length;
      if (length > most) throw limitExceeded("messageBodyBytes", `a group of parts has at most ${most} characters`);
      group.push(value);
    }
    if (group.length === 0) return;
    yield group.join(delimiter);
    if (group.length < count) return;
  }
}

/** Stops at the first end token that precedes a start token. The last end token may be missing. */
export function* pairsOf(text: string, start: string, end: string, includeTokens: boolean): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const close = text.indexOf(end, at);
    const until = close < 0 ? text.length : close;
    const open = text.indexOf(start, at);
    if (open < 0 || open + start.length > until) return;
    const inner = text.slice(open + start.length, until);
    yield includeTokens ? start + inner + end : inner;
    at = until + end.length;
  }
}
