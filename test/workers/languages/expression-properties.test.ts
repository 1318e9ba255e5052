/** What holds for every expression: compiling takes time linear in its text, nothing leads out of the data, patterns match as anywhere. */
import { describe, it } from "node:test";
import { provesEnclosed } from "./fuzz/escape.ts";
import { growsWithText, provesLinear } from "./fuzz/linear.ts";
import { provesAgreement } from "./fuzz/regex-agreement.ts";

describe("every expression", () => {
  it("takes work linear in its text to compile or to refuse", () => provesLinear({ runs: 150 }));

  for (const unit of [
    "'a, ",
    "'a ",
    " 'x",
    "${a} && ",
    "${body} ~> ${body} ",
    "int:",
    "${iif(\\",
    "\\r",
    "[",
    "(",
    ",",
    "'${",
    "\\",
    ".a",
    "[a]",
  ]) {
    it(`takes work linear in its text: ${unit} many times in a function's arguments`, () => {
      for (const start of ["${list(", "${body", "${concat(${body},", ""])
        growsWithText({ start, unit, end: ")}" }, false);
      for (const start of ["", "'a "]) growsWithText({ start, unit, end: "" }, true);
    });
  }

  it("gives data, and neither functions, prototypes nor parts of the engine", () => provesEnclosed({ runs: 1500 }));
});

describe("regular expressions", () => {
  it("match as JavaScript's own do on 800 generated patterns", () => provesAgreement({ runs: 800 }));
});
