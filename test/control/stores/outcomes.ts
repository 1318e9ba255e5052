/** All outcomes of a function that makes choices. */

/** One of 0 to `count` - 1. */
export type Choose = (count: number) => number;

/** Runs the function until every combination of choices was taken. */
export function* outcomes<T>(make: (choose: Choose) => T): Generator<T> {
  let taken: { readonly count: number; readonly choice: number }[] = [];
  for (;;) {
    const path = [...taken];
    let at = 0;
    const next: typeof taken = [];
    const result = make((count) => {
      const choice = path[at++]?.choice ?? 0;
      next.push({ count, choice });
      return choice;
    });
    yield result;
    while (next.length > 0 && (next.at(-1) as (typeof taken)[number]).choice + 1 === next.at(-1)?.count) next.pop();
    const last = next.pop();
    if (last === undefined) return;
    taken = [...next, { count: last.count, choice: last.choice + 1 }];
  }
}
