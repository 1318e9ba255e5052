/** The linear regex engine and JavaScript's own agree on patterns that mean the same to both. */
import fc from "fast-check";
import { compileRegex } from "../../../../src/workers/engine/regex.ts";

const { pattern } = fc.letrec<{ pattern: string; branch: string; term: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 3, arbitrary: tie("branch") },
    { weight: 1, arbitrary: fc.tuple(tie("branch"), tie("branch")).map(([a, b]) => `${a}|${b}`) },
  ),
  branch: fc.array(tie("term"), { maxLength: 4 }).map((terms) => terms.join("")),
  term: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "{2}", "{0,2}", "{1,}"))
    .map(([atom, times]) => atom + times),
  atom: fc.oneof(
    { maxDepth: 2, depthIdentifier: "regex" },
    fc.constantFrom(
      "a",
      "b",
      "0",
      "-",
      "\\.",
      "\\\\",
      ".",
      "\\d",
      "\\D",
      "\\w",
      "\\W",
      "\\s",
      "\\S",
      "[ab]",
      "[^a]",
      "[a-c0-9]",
      "[\\d.]",
      "[^\\s-]",
      "\\n",
    ),
    fc.tuple(fc.constantFrom("(", "(?:"), tie("pattern")).map(([open, inner]) => `${open}${inner})`),
    fc.constantFrom("a", "(?:^|b)", "(?:c|$)", "(?:\\b)"),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "0", "1", "-", ".", " ", "\\", "\n", "_", "é"),
  maxLength: 8,
});

/** Java's `matches` (the whole text) and `find`, on five texts for each pattern; throws for the first difference. */
export function provesAgreement({ runs, seed }: { runs: number; seed?: number }): void {
  const property = fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), agrees);
  fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
}

function agrees(pattern: string, texts: readonly string[]): void {
  const regex = compileRegex(pattern);
  const whole = new RegExp(`^(?:${pattern})$`);
  const part = new RegExp(pattern);
  for (const text of texts) {
    const differs =
      regex.matches(text) !== whole.test(text) ? "matches" : regex.find(text) !== part.test(text) ? "find" : "";
    if (differs !== "") throw new Error(`${differs}: ${pattern} on ${JSON.stringify(text)}`);
  }
}
