/** Suggests the nearest known name for a misspelt one. */
import { distance } from "fastest-levenshtein";

/** Returns ` (did you mean 'x'?)`, or nothing when no name is near. */
export function suggestion(name: string, known: Iterable<string>): string {
  if (name.length > 40) return "";
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const away = distance(name.toLowerCase(), candidate.toLowerCase());
    if (away >= least) continue;
    nearest = candidate;
    least = away;
  }
  return nearest === undefined ? "" : ` (did you mean '${nearest}'?)`;
}
