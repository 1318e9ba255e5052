/** Diffs of texts, for people who read what a deployment would change. */
import { createTwoFilesPatch } from "diff";

/** Longer texts are not compared line by line. */
const mostCharacters = 256 * 1024;
/** Texts that differ by more lines are not compared to the end. */
const mostEdits = 1000;
const context = 3;

/** Returns a unified diff; undefined: both are the same. `before` undefined: there is none. */
export function textDiff(name: string, before: string | undefined, after: string | undefined): string | undefined {
  if (before === after) return undefined;
  const [from, to] = [before === undefined ? "/dev/null" : name, after === undefined ? "/dev/null" : name];
  const [old = "", now = ""] = [before, after];
  const patch =
    old.length + now.length > mostCharacters
      ? undefined
      : createTwoFilesPatch(from, to, old, now, undefined, undefined, { context, maxEditLength: mostEdits });
  // The lines that the library puts above the names are no part of a unified diff.
  if (patch !== undefined) return patch.replace(/^(?:Index: .*\n)?=+\n/, "");
  return `--- ${from}\n+++ ${to}\nthe texts differ by more than a diff shows: ${old.length} characters before, ${now.length} after\n`;
}
