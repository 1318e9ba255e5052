/** What simple refuses when a flow is checked: message and place. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExpressionSyntaxError } from "../../../src/workers/engine/exception.ts";
import { compileCondition, compileText } from "./evaluate.ts";

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
  ["${env:PATH}", 2, /\{\{env:NAME\}\}.*ENV_ALLOW/],
  ["${sysenv.PATH}", 2, /\{\{env:NAME\}\}/],
  ["${sys.user.home}", 2, /the system's properties/],
  ["${properties}", 12, /write \$\{properties:key\}/],
  ["${propertiesExist:}", 17, /write \$\{propertiesExist:key\}/],
  ["${bean:foo}", 2, /no beans/],
  ["${ref:foo}", 2, /no beans/],
  ["${type:java.lang.Integer.MAX_VALUE}", 2, /no Java types/],
  ["${camelContext.name}", 2, /no CamelContext.*camelId/],
  ["${load(file.txt)}", 2, /reads no files/],
  ["${function(f,${body})}", 2, /no functions of one's own/],
  ["${a2a:card}", 2, /there is no component a2a here/],
  ["${attachments.a}", 13, /write \$\{attachments\}, \$\{attachments.size\} or \$\{attachment\[name\]\}/],
  ["${htmlClean()}", 2, /HTML is plain text/],
  ["${routeGroup.size}", 12, /takes nothing after its name/],
  ["${attachmentsSize}", 2, /write \$\{attachments.size\}/],
  ["${attachmentsHeader(a,b)}", 2, /write \$\{attachmentHeader\(key,name\)\}/],
  [
    "${throwException(java.io.IOException,'no file')}",
    16,
    /not a class name: write \$\{throwException\(message,type\)\}/,
  ],
  ["${out.body}", 2, /one message/],
  ["${messageHistory.x}", 16, /write \$\{messageHistory\}/],
  ["${file:nam}", 6, /did you mean 'name'/],
  ["${simpleJsonpath}", 16, /write \$\{simpleJsonpath\(text\)\}/],
  ["${simpleJsonpath(a..b)}", 17, /write a path/],
  ["x $init{ $a := 'x'; }init$ ${body}", 2, /belongs at the beginning/],
  ["$init{ $a := 'x';", 0, /has no end/],
  ["$init{\n$a := ;\n}init$x", 13, /\$a has no value/],
  ["$init{\n$f ~:= ${trim()};\n}init$x", 6, /no functions/],
  ["$init{\n$a := ${nothing};\n}init$x", 15, /Unknown function/],
  ["$init{\n$a := 'x';\n}init$${nothing}", 24, /Unknown function/],
  ["${int:int:body}", 6, /Unknown function: int/],
  ["${date:yyyyMMdd}", 7, /Command not supported for dateExpression: yyyyMMdd/],
  ["${date:now:yyyy-bb}", 16, /Illegal pattern character 'b'/],
  ["${date-with-timezone:now:Nowhere/City:yyyy}", 25, /unknown time zone/],
  ["${bodyAs(Foo)}", 9, /unknown type Foo/],
  ["${variable.foo:x}", 11, /no variable repository 'foo'/],
  ["${variable.global:}", 11, /a name is missing/],
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
  [`\${header.bar} regex '${"a".repeat(10_001)}'`, 21, /bad regular expression: it has more than 10000 characters/],
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

describe("simple refuses expressions", () => refuses(expressions, (text) => compileText(text)));
describe("simple refuses conditions", () => refuses(predicates, (text) => compileCondition(text)));

describe("the other languages refuse", () => {
  it("an empty name and variables of another scope", () => {
    for (const name of ["header", "exchangeProperty", "variable"]) {
      assert.throws(() => compileText(" ", name), ExpressionSyntaxError);
    }
    assert.throws(() => compileText("foo:r:x", "variable"), /no variable repository 'foo'/);
  });
});
