/** `$regex` of matchers, everywhere the same: the pattern is found somewhere in the text. */
import { regexCache } from "../engine/regex.ts";

const compiled = regexCache();

/** Throws PatternSyntaxException. */
export function matcherRegex(pattern: string): (text: string) => boolean {
  return (text) => compiled(pattern).find(text);
}
