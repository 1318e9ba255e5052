/** Suggestions for misspelt names. */
import { distance } from "fastest-levenshtein";

/**
 * Returns the candidate that `name` most likely means: equal but for case and dashes, the same letters in another
 * order, a part of a longer name, or at most a third of its letters different.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name).slice(0, 100);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const d = nearness(wanted, plain(candidate));
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/**
 * Returns the candidate that differs by case, dashes or two letters at most; short names are too similar to each other
 * to suggest one.
 */
export function misspelt(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name);
  if (wanted.length < 6 || wanted.length > 100) return undefined;
  return [...candidates].find((candidate) => distance(wanted, plain(candidate)) <= 2);
}

/**
 * Returns a function that finds the known field which a document's field probably misspells: they differ by case, dashes, the
 * order of the letters or two letters at most; by one letter where one of both has fewer than six.
 */
export function spellingOf(known: Iterable<string>): (name: string) => string | undefined {
  const fields = [...known].map((field) => ({ field, letters: plain(field), sorted: sortedLetters(plain(field)) }));
  return (name) => {
    const wanted = plain(name);
    if (wanted.length < 2 || wanted.length > 100) return undefined;
    const found = fields.find(({ letters, sorted }) => {
      const most = Math.min(wanted.length, letters.length) < 6 ? 1 : 2;
      if (Math.abs(wanted.length - letters.length) > most) return false;
      return (
        distance(wanted, letters) <= most || (wanted.length === letters.length && sortedLetters(wanted) === sorted)
      );
    });
    return found?.field;
  };
}

function nearness(wanted: string, candidate: string): number {
  const d = distance(wanted, candidate);
  if (d <= 1 || wanted.length < 3) return d;
  const partOf = wanted.length > 3 && (candidate.endsWith(wanted) || candidate.startsWith(wanted));
  return partOf || sortedLetters(wanted) === sortedLetters(candidate) ? 1 : d;
}

function sortedLetters(text: string): string {
  return [...text].sort().join("");
}

/** Returns ` (did you mean 'log'?)`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const best = closest(name, candidates);
  return best === undefined ? "" : ` (did you mean '${best}'?)`;
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

/** The most characters of names in a message: an error's message has room for several problems. */
const mostCharacters = 300;

/** Formats names as `a, b, c`; long lists are cut. */
export function listed(names: Iterable<string>, most = 40): string {
  const all = [...names];
  let shown = all[0] ?? "";
  let count = 1;
  while (count < Math.min(most, all.length) && shown.length + (all[count] ?? "").length < mostCharacters) {
    shown += `, ${all[count]}`;
    count += 1;
  }
  return count < all.length ? `${shown}, ...` : shown;
}

/** Formats what there is beside a name that is not: `; its options: a, b`. Where a name is suggested, a long list is left out. */
export function choices(hint: string, lead: string, names: Iterable<string>): string {
  const list = listed(names);
  return hint !== "" && list.length > mostCharacters / 2 ? "" : `; ${lead}: ${list}`;
}
