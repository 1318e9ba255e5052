/** What a rule of our prose looks like (docs/style.md has the reasons). The rules are the table in rules.ts. */
import type { Span } from "./nodes.ts";

export interface ProseRule {
  /** As findings name it, in kebab-case. */
  readonly name: string;
  /** Finds what to report in one sentence. Code in it is made of `x` and digits. */
  readonly pattern: RegExp | ((text: string) => readonly Span[]);
  /** What to write instead. */
  readonly advice: string;
  /** A sentence that this rule reports. */
  readonly bad: string;
  /** The same in good prose: no rule reports anything in it. */
  readonly good: string;
  /** The rule reads a whole cell of a table, and nothing else. */
  readonly cell?: true;
  /** Files to which the rule does not apply. */
  readonly except?: RegExp;
}

export function findIn({ pattern }: ProseRule, text: string): readonly Span[] {
  if (typeof pattern === "function") return pattern(text);
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length]);
}
