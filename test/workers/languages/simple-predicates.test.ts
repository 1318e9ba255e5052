/** The simple language in the place of a condition (camel.md, cases 69-88; Camel's SimpleOperatorTest). */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { epochMs } from "../../support/clock.ts";
import { anExchange, type ExchangeParts } from "../../support/exchange.ts";
import { evaluate, matches } from "./evaluate.ts";

type Group = readonly [parts: ExchangeParts, holds: readonly string[], fails: readonly string[]];
const bar = (value: unknown): ExchangeParts => ({ headers: { bar: value } });

const groups: Readonly<Record<string, Group>> = {
  "null, empty and blank text differ": [
    { headers: { empty: "", blank: " " } },
    [
      "${header.none} == null",
      "${header.empty} != null",
      "${header.empty} == ''",
      "${header.blank} == ' '",
      "${header.none} < null",
      "${header.none} <= null",
      "${header.none} >= null",
      "${header.none} contains null",
      "${header.none} startsWith null",
    ],
    [
      "${header.none} < 1",
      "${header.none} <= 1",
      "1 > ${header.none}",
      "${header.none} > null",
      "${header.empty} in ''",
      "${header.none} == ''",
      "${header.none} != null",
      "${header.empty} == ' '",
      "${header.blank} == ''",
      "${header.none} > 0",
    ],
  ],
  "a number and text": [
    bar(123),
    [
      "${header.bar} == '123'",
      "${header.bar} == 123",
      "${header.bar} >= '-'",
      "${header.bar} =~ '123'",
      '${header.bar} == "123"',
    ],
    ["${header.bar} == '1'", "${header.bar} == '-'", "${header.bar} != 123"],
  ],
  "a boolean": [
    { headers: { bar: true } },
    [
      "${header.bar} == 'true'",
      "${header.bar} == true",
      "${header.bar} == 7",
      "${header.bar} > 'abc'",
      "${header.bar} in 'x,TRUE'",
      "0 == false",
      "-5 == false",
      "123 >= true",
      "'abc' <= false",
    ],
    ["${header.bar} == false", "${header.bar} in 'x,y'", "0 == true", "0 > false"],
  ],
  "decimal text": [
    { body: "0.02" },
    ["${body} > 0", "${body} > 0.01", "${body} == 0.02", "${body} < '0.1'"],
    ["${body} > 0.02", "${body} > 1"],
  ],
  "digits compare as numbers": [{ body: "70" }, ["${body} > 8", "${body} > '8'"], ["${body} > 100"]],
  "digits with leading zeros": [
    { body: "0099" },
    ['${body} <= "555"', "${body} == '99'", "${body} equals '0099'", "${body} !equals '99'"],
    ["${body} equals '99'"],
  ],
  "long digits stay exact": [
    { body: "00012345678901234567890" },
    ["${body} == '12345678901234567890'", "${body} > '12345678901234567889'", "${body} > '-12345678901234567891'"],
    ["${body} == '12345678901234567891'"],
  ],
  "text compares as text": [
    bar("abc"),
    [
      "${header.bar} > 'aaa'",
      "${header.bar} =~ 'ABC'",
      "${header.bar} !=~ 'ABD'",
      "${header.bar} == abc1 || ${header.bar}",
    ],
    ["${header.bar} < 'aaa'", "${header.bar} == 'ABC'"],
  ],
  contains: [
    { headers: { bar: "Hello 42", list: ["a", 42, "Bc"] }, variables: { map: { a: 1 } } },
    [
      "${header.bar} contains 'Hello'",
      "${header.bar} contains 42",
      "${header.bar} !contains 'hello'",
      "${header.bar} not contains 'x'",
      "${header.bar} ~~ 'hELLO'",
      "${header.list} contains '42'",
      "${header.list} ~~ 'b'",
      "${header.bar} !~~ 'bye'",
      "42 contains '042'",
    ],
    [
      "42 contains 4",
      "${variable.map} contains 'a'",
      "${header.bar} contains 'hello'",
      "${header.list} contains 'c'",
      "${header.none} contains 'x'",
    ],
  ],
  "regex matches the whole text": [
    bar(123),
    [
      "${header.bar} regex '^\\d{3}'",
      "${header.bar} regex '\\d{3}'",
      "${header.bar} not regex '\\d{2}'",
      "${header.bar} !regex 'a'",
    ],
    ["${header.bar} regex '^\\d{2}'", "${header.none} regex '.*'"],
  ],
  in: [
    { headers: { s: "abc", n: 123, e: "", list: ["x", "abc"] } },
    [
      "${header.s} in 'foo,abc,def'",
      "${header.n} in '100,123,200'",
      "${header.s} not in 'foo,def'",
      "${header.n} !in '1,2'",
      "${header.e} in 'a,,b'",
      "${header.s} in ${header.list}",
    ],
    ["${header.s} in 'foo,def'", "${header.none} in 'a,,b'"],
  ],
  is: [
    { headers: { s: "abc", n: 1, list: [], map: {}, d: new Date(epochMs()) } },
    [
      "${header.s} is 'String'",
      "${header.s} is 'java.lang.String'",
      "${header.n} is 'Integer'",
      "${header.n} is 'Number'",
      "${header.list} is 'java.util.List'",
      "${header.map} is 'Map'",
      "${header.d} is 'java.util.Date'",
      "${header.n} not is 'String'",
      "${header.n} !is 'String'",
    ],
    ["${header.n} is 'String'", "${header.s} is 'Map'", "${header.none} is 'Object'"],
  ],
  "range includes both ends": [
    { headers: { bar: 100, s: "200", text: "abc", decimal: "1.5" } },
    [
      "${header.decimal} range '1..200'",
      "${header.bar} range '100..200'",
      "${header.s} range '100..200'",
      "${header.bar} !range '101..200'",
      "${header.bar} not range '0..99'",
    ],
    ["${header.bar} range '101..200'", "${header.none} range '0..1'", "${header.text} range '1..200'"],
  ],
  "starts and ends with": [
    bar("01234"),
    [
      "${header.bar} starts with '01234'",
      "${header.bar} startsWith '0'",
      "${header.bar} ends with '34'",
      "${header.bar} endsWith '34'",
      "${header.bar} !startsWith '1'",
      "${header.bar} !endsWith '1'",
    ],
    ["${header.bar} starts with 1234", "${header.bar} starts with 01234", "${header.none} starts with ''"],
  ],
  "&& and || from left to right, without precedence": [
    { headers: { a: 1, b: 2, t: "true", f: "false" } },
    [
      "${header.a} == 1 && ${header.b} == 2 && ${header.t}",
      "${header.a} == 9 || ${header.b} == 9 || ${header.b} == 2",
      "${header.t} && ${header.a}",
      "${header.f} && ${header.f} || ${header.t}",
      "  ${header.a}   ==   1   &&   ${header.t}  ",
    ],
    ["${header.t} || ${header.t} && ${header.f}", "${header.t} && ${header.none}", "${header.f} || ${header.none}"],
  ],
  "functions on the right and numbers on the left": [
    { headers: { foo: "x", bar: "x", n: -5 } },
    [
      "${header.foo} == ${header.bar}",
      "100 < 200",
      "-10 < ${header.n}",
      "${header.n} == -5",
      "'x' == ${header.foo}",
      "'${header.foo}!' == 'x!'",
    ],
    ["${header.foo} != ${header.bar}", "100 < ${header.n}"],
  ],
  "a value alone": [
    { headers: { yes: "yes", zero: 0, empty: [], map: {}, f: "FALSE", blank: "  " }, body: new JsonText("[]", []) },
    ["${header.yes}", "${header.zero}", "${header.map}", "true"],
    ["${header.empty}", "${header.f}", "${header.blank}", "${header.none}", "", " ", "false", "${body}"],
  ],
  "chains, quotes and braces": [
    { body: "abcdef" },
    ["${body} ~> ${length()} > 5", "${body} ~> ${length()} > -5", "${body} !contains \"}\" && ${body} == 'abcdef'"],
    ["${body} ~> ${length()} > 10", "${body} ~> ${length()} == null", '${body} contains "}" && ${body}'],
  ],
  "header beer": [{ headers: { beer: "   " } }, ["${header.beer.trim()} == ''"], []],
  "JSON bodies": [
    { body: new JsonText('{"n": 5, "l": [1]}', { n: 5, l: [1] }) },
    [
      "${body[n]} == 5",
      "${body[l]} contains 1",
      "${body} contains '\"n\"'",
      "${body[n]} in '4,5'",
      '${body} == \'{"n": 5, "l": [1]}\'',
    ],
    ["${body[n]} > 5", "${body[x]}"],
  ],
  dates: [
    {},
    ["${date:now-2s+2s} >= ${date:now-1s}", "${date:now} < ${date:now+60s}"],
    ["${date:now} > ${date:now+60s}"],
  ],
};

for (const [name, [parts, holds, fails]] of Object.entries(groups)) {
  describe(`simple conditions: ${name}`, () => {
    for (const text of holds)
      it(`${JSON.stringify(text)} holds`, () => assert.equal(matches(text, anExchange(parts)), true));
    for (const text of fails)
      it(`${JSON.stringify(text)} does not`, () => assert.equal(matches(text, anExchange(parts)), false));
  });
}

describe("simple conditions: short circuit", () => {
  it("the right side is not evaluated when the left decides", () => {
    const exchange = anExchange();
    assert.equal(matches("false && ${throwException(x)}", exchange), false);
    assert.equal(matches("true || ${throwException(x)}", exchange), true);
  });

  it("an expression keeps operators as text", () => {
    assert.equal(evaluate("${header.bar} == 123", anExchange(bar(123))), "123 == 123");
  });
});
