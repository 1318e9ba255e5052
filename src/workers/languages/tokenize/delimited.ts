/** The texts between delimiters (Camel: org.apache.camel.util.Scanner, which is Java's). */
import type { Regex } from "../../engine/regex.ts";

/**
 * One delimiter is skipped before each token: a first and a last delimiter make no empty tokens, two in a row make one.
 * A delimiter that matches nothing separates every character.
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
