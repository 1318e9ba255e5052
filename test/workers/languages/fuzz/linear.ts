/** The simple parser is linear: eight times the text is at most about eight times the work, for texts that repeat any pieces. */
import fc from "fast-check";
import { ExpressionSyntaxError } from "../../../../src/workers/engine/exception.ts";
import { compileCondition, compileText, surroundings } from "../evaluate.ts";
import { workOf } from "./work.ts";

const piece = fc.oneof(
  fc.constantFrom(
    ..."${ $simple{ } ( ) [ ] ' \" , . ? ?. : \\ $param last ${body} ${header.a} ${body. ${body[ ${concat( ${concat(a,b)}".split(
      " ",
    ),
  ),
  fc.constantFrom(
    ..."${iif(|${replace(|${date:now|${int:|int:|${jsonpath(|${list('a, b',|'a |\"b |,'|, 'x'|don't|${val(${body|'${|\"${body}".split(
      "|",
    ),
  ),
  fc.constantFrom(
    " == ",
    " && ",
    " || ",
    " ? ",
    " : ",
    " ?: ",
    " ~> ",
    " ?~> ",
    "++ ",
    " in ",
    " ",
    "  ",
    "1",
    "null",
    "'x'",
  ),
  fc.string({ maxLength: 3 }),
);
const pieces = (most: number) => fc.array(piece, { maxLength: most }).map((list) => list.join(""));

interface Shape {
  readonly start: string;
  readonly unit: string;
  readonly end: string;
}

const shape = fc.record({
  start: pieces(3),
  unit: fc.array(piece, { minLength: 1, maxLength: 4 }).map((p) => p.join("")),
  end: pieces(3),
});

/** Without other languages: their work is their own. */
const alone = surroundings({}, []);

/** Units in the shorter text; the longer one has eight times as many. */
const units = 48;

/** Throws when a text is found on which the work grows faster than the text. */
export function provesLinear({ runs, seed }: { runs: number; seed?: number }): void {
  fc.assert(fc.property(shape, fc.boolean(), growsWithText), { numRuns: runs, ...(seed !== undefined && { seed }) });
}

/** Exported for shapes that are known by name. */
export function growsWithText(given: Shape, condition: boolean): void {
  const short = workOn(given, units, condition);
  const long = workOn(given, units * 8, condition);
  if (long <= 8 * short * 1.5 + 20_000) return;
  throw new Error(`${long} characters looked at, ${short} for an eighth of the text ${JSON.stringify(given)}`);
}

function workOn({ start, unit, end }: Shape, count: number, condition: boolean): number {
  const text = start + unit.repeat(count) + end;
  return workOf(() => {
    try {
      if (condition) compileCondition(text, "simple", alone);
      else compileText(text, "simple", alone);
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
    }
  });
}
