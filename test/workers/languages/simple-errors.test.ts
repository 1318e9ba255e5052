/** What simple refuses when a flow is checked: message and place. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExpressionSyntaxError } from "../../../src/workers/engine/exception.ts";
import { languageOf } from "./evaluate.ts";

type Refused = readonly [text: string, index: number, message: RegExp];

const expressions: readonly Refused[] = [
  ["hey ${foo", 9, /no closing '}'/],
  ["${bodyxxx}", 2, /Unknown function: bodyxxx/],
  ["a ${heder.x}", 4, /did you mean 'header'/],
  ["${uppercas()}", 2, /did you mean 'uppercase'/],
  ["${}", 2, /Unknown function/],
  ["${constructor}", 2, /Unknown function/],
  ["${body.toUperCase()}", 6, /no value has a method toUperCase\(\) \(did you mean 'toUpperCase'/],
  ["${body[}", 6, /closing ']'/],
  ["${body.}", 6, /expected .name/],
  ["${header}", 8, /write \$\{header.name\}/],
  ["${routeId.x}", 9, /takes nothing after its name/],
  ["${replace(a)}", 9, /write \$\{replace\(from,to\)\}/],
  ["x ${concat(${nope},b)}", 13, /Unknown function: nope/],
  ["${env:PATH}", 2, /sees no environment.*\{\{name\}\}/],
  ["${sysenv.PATH}", 2, /sees no environment/],
  ["${properties:x}", 2, /write \{\{name\}\}/],
  ["${bean:foo}", 2, /no beans/],
  ["${jq(.a)}", 2, /not supported yet/],
  ["${jsonpath($.a)}", 2, /not supported yet/],
  ["${xpath(/a)}", 2, /not supported yet/],
  ["${stepId}", 2, /step/],
  ["${file:name}", 2, /file/],
  ["${date:yyyyMMdd}", 7, /Command not supported for dateExpression: yyyyMMdd/],
  ["${date:now:yyyy-bb}", 16, /Illegal pattern character 'b'/],
  ["${date-with-timezone:now:Nowhere/City:yyyy}", 25, /unknown time zone/],
  ["${bodyAs(Foo)}", 9, /unknown type Foo/],
  ["${variable.global:x}", 11, /only exchange variables/],
  ["${map(a)}", 5, /even number/],
  ["${hash(${body},CRC)}", 6, /algorithms are/],
  ["${random(a)}", 9, /whole number/],
  ["${split((a)}", 7, /bad regular expression/],
  ["${".repeat(50), 64, /nest at most 32 deep/],
];

const predicates: readonly Refused[] = [
  ["${header.bar} is 'Unknown'", 14, /unknown type 'Unknown'/],
  ["${header.bar} range 'abc..200'", 21, /no range/],
  ["${header.bar} range '100.200'", 21, /no range/],
  ["${header.bar} range 100..200", 20, /in quotes/],
  ["${header.bar} && 42", 17, /joins conditions; '42' is none/],
  ["42 && ${header.bar}", 0, /joins conditions/],
  ["${header.bar} == 'abc", 17, /quoted text has no end/],
  ["${header.bar} == abc", 17, /expected a function .* found 'abc'/],
  ["${header.bar} ==", 14, /a value on its right/],
  ["${header.bar} =='x'", 14, /space on both sides/],
  ["${header.bar} &&", 14, /a condition on its right/],
  ["hello ${body} == 1", 0, /expected a function/],
  ["${header.bar} ${header.foo}", 14, /an operator/],
  ["${header.bar} regex '(a'", 21, /bad regular expression: missing closing/],
  ["${header.bar} regex '(?=a)'", 21, /no look-around/],
  ["${a} and ${b}", 5, /an operator/],
];

function refuses(list: readonly Refused[], compile: (text: string) => unknown): void {
  for (const [text, index, message] of list) {
    it(`${text.slice(0, 40)} at ${index}`, () => {
      assert.throws(
        () => compile(text),
        (error) => {
          assert.ok(error instanceof ExpressionSyntaxError, String(error));
          assert.match(error.message, message);
          assert.equal(error.index, index, error.message);
          return true;
        },
      );
    });
  }
}

const simple = languageOf("simple");
describe("simple refuses expressions", () => refuses(expressions, (text) => simple.expression(text, {})));
describe("simple refuses conditions", () => refuses(predicates, (text) => simple.predicate?.(text, {})));

describe("the other languages refuse", () => {
  it("an empty name and variables of another scope", () => {
    for (const name of ["header", "exchangeProperty", "variable"]) {
      assert.throws(() => languageOf(name).expression(" ", {}), ExpressionSyntaxError);
    }
    assert.throws(() => languageOf("variable").expression("route:r:x", {}), /only exchange variables/);
  });
});
