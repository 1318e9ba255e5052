/**
 * Camel's patterns of names (PatternHelper.matchPattern): a name, `prefix*`, or a regular expression for the whole
 * name.
 */
import { compileRegex } from "./regex.ts";

/** A text without characters that are special in regular expressions, except for a final `*`. */
const plain = /^[\w-]+\*?$/;

/** Case-insensitive. Throws PatternSyntaxException. */
export function namePattern(pattern: string): (name: string) => boolean {
  if (pattern === "*") return () => true;
  const lower = pattern.toLowerCase();
  const prefix = pattern.endsWith("*") ? lower.slice(0, -1) : undefined;
  const regex = plain.test(pattern) ? undefined : compileRegex(pattern, { caseInsensitive: true });
  return (name) => {
    const key = name.toLowerCase();
    return key === lower || (prefix !== undefined && key.startsWith(prefix)) || (regex?.matches(name) ?? false);
  };
}
