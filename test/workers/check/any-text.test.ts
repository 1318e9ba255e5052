/** Whatever the text, the check answers: a flow, or at least one error; and it does so quickly. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { CheckResult } from "../../../src/shared/check.ts";
import { checkText } from "./small-catalog.ts";

function answers({ flow, diagnostics }: CheckResult): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return (flow === undefined) === errors.length > 0;
}

const good = `- route:
    id: "{{name:orders}}"
    from:
      uri: timer:tick
      parameters: { period: 5s }
      steps:
        - setBody: { simple: "\${body} x" }
        - choice:
            when:
              - { simple: "a == b", steps: [{ log: "yes" }] }
            otherwise: { steps: [{ to: "log:a?showAll=true" }] }
        - guard: { exception: [a, b], wait: 10, steps: [] }
`;

describe("any text", () => {
  test("words of the language in any order", () => {
    const word = fc.constantFrom(
      "- ",
      "route",
      "from",
      "uri",
      "steps",
      ": ",
      ":",
      "\n",
      "  ",
      "    ",
      "{",
      "}",
      "[",
      "]",
      "log",
      "timer:t",
      "simple",
      "${body}",
      "{{x}}",
      "{{x:y}}",
      '"',
      "'",
      "|",
      ">",
      "#",
      "&a ",
      "*a",
      "~",
      "null",
      "expression",
      "choice",
      "when",
      "id",
      "---",
      "!!str ",
      "?",
      "\t",
      "%",
      "disabled",
      "true",
      "parameters",
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 40 }).map((words) => words.join("")),
        (text) => answers(checkText(text)),
      ),
      { numRuns: 120 },
    );
  });

  test("characters in any order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => answers(checkText(text))),
      { numRuns: 80 },
    );
  });

  test("a good document with something changed", () => {
    assert.ok(checkText(good).flow);
    const change = fc.record({
      at: fc.nat({ max: good.length }),
      remove: fc.nat({ max: 12 }),
      insert: fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom("\n", "  ", "- ", "{{", "}}", ": ", "[", "{", "_api", "null"),
      ),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const text = changes.reduce(
          (t, { at, remove, insert }) => t.slice(0, at) + insert + t.slice(at + remove),
          good,
        );
        return answers(checkText(text));
      }),
      { numRuns: 120 },
    );
  });
});

describe("texts made to be slow", () => {
  const bombs: Record<string, string> = {
    "8 000 keys": Array.from({ length: 8_000 }, (_, i) => `k${i}: 1`).join("\n"),
    "one key 8 000 times": "k: 1\n".repeat(8_000),
    "deep flow lists": "[".repeat(30_000),
    "deep flow maps": "{a: ".repeat(8_000),
    "deep compact lists": `${"- ".repeat(15_000)}x`,
    "an alias bomb": Array.from(
      { length: 20 },
      (_, i) =>
        `a${i}: &a${i} [${Array(9)
          .fill(i === 0 ? "x" : `*a${i - 1}`)
          .join()}]`,
    ).join("\n"),
    commas: `[${",".repeat(30_000)}]`,
    "open placeholders": `a: "${"{{a".repeat(30_000)}"`,
    "closed placeholders": `a: "${"{{a:".repeat(30_000)}${"}}".repeat(30_000)}"`,
    "many documents": "---\n".repeat(8_000),
    "many steps": `from: timer:t\nsteps:\n${"- log: a\n".repeat(5_000)}`,
    "unknown steps": `from: timer:t\nsteps:\n${"- nope: a\n".repeat(5_000)}`,
    "a long name": `${"x".repeat(200_000)}: 1`,
  };
  for (const [name, text] of Object.entries(bombs)) {
    test(name, () => {
      assert.ok(answers(checkText(text)));
    });
  }
});
