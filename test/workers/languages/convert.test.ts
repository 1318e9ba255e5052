/** Conversion, comparison and regular expressions as Camel does them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { coercedCompare, coercedEquals } from "../../../src/workers/engine/compare.ts";
import { asText, convertTo, isBooleanType, isKnownType, truthy } from "../../../src/workers/engine/convert.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { compileRegex } from "../../../src/workers/engine/regex.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("asText", () => {
  for (const [value, text] of [
    [null, ""],
    [undefined, ""],
    ["a", "a"],
    [1.5, "1.5"],
    [true, "true"],
    [new JsonText("{ }", {}), "{ }"],
    [bytes("ü"), "ü"],
    [new Date(1974, 3, 20, 8, 5, 7), /^Sat Apr 20 08:05:07 \S+ 1974$/],
    [new Date(Number.NaN), "Invalid Date"],
    [{ a: [1, null, { b: new JsonText("[1 ]", [1]) }], t: "x", x: bytes("y") }, "{a=[1, null, {b=[1 ]}], t=x, x=y}"],
    [new Map([["a", 1]]), "{a=1}"],
    [new Set([1, "a"]), "[1, a]"],
    [[], "[]"],
    [new FlowException("java.io.IOException", "gone"), "java.io.IOException: gone"],
  ] as const) {
    it(`renders ${text === "" ? "null as nothing" : text}`, () =>
      text instanceof RegExp ? assert.match(asText(value), text) : assert.equal(asText(value), text));
  }
});

describe("convertTo", () => {
  for (const [value, type, expected] of [
    ["123", "int", 123],
    [123, "String", "123"],
    ["123", "java.util.Date", null],
    [1_700_000_000_000, "java.util.Date", new Date(1_700_000_000_000)],
    [2.9, "Integer", 2],
    ["2.5", "double", 2.5],
    ["TRUE", "boolean", true],
    [" 2.5 ", "double", 2.5],
    [2, "Boolean", true],
    [0, "boolean", false],
    [-1, "boolean", false],
    [new JsonText("42", 42), "Long", 42],
    [new JsonText('{"a":1}', { a: 1 }), "Map", { a: 1 }],
    [new JsonText("[1]", [1]), "java.util.List", [1]],
    ["x", "Map", null],
    ["hi", "byte[]", bytes("hi")],
    [bytes("7"), "int", 7],
    [null, "int", null],
    [{}, "int", null],
    [new Date(5), "long", 5],
    ["9007199254740993", "long", 9007199254740993n],
    [9007199254740993n, "long", 9007199254740993n],
    [9007199254740993n, "double", 9007199254740992],
    ["-9223372036854775808", "long", -(2n ** 63n)],
    ["123456789012345678901234567890", "BigInteger", 123456789012345678901234567890n],
    ["9007199254740993", "Number", 9007199254740993n],
    ["12", "BigInteger", 12],
  ] as const) {
    it(`${asText(value)} to ${type}`, () => assert.deepEqual(convertTo(value, type), expected));
  }

  it("fails where the text is no such number, or it does not fit", () => {
    for (const [value, type] of [
      ["abc", "int"],
      ["2.5", "int"],
      [" 1", "int"],
      ["", "long"],
      ["2147483648", "int"],
      [4e9, "Integer"],
      [9007199254740993n, "Integer"],
      [2n ** 63n, "long"],
      ["9223372036854775808", "long"],
      ["1x", "double"],
    ] as const) {
      assert.throws(
        () => convertTo(value, type),
        (error) => error instanceof FlowException && error.type === "org.apache.camel.TypeConversionException",
      );
    }
  });

  it("makes null of what is neither true nor false", () => {
    for (const value of ["yes", "1", 1.5, ""]) assert.equal(convertTo(value, "Boolean"), null);
  });

  it("knows its types by short and full name", () => {
    for (const name of ["String", "java.lang.String", "int", "byte[]", "java.math.BigDecimal", "java.util.Map"]) {
      assert.equal(isKnownType(name), true, name);
    }
    for (const name of ["Foo", "constructor", "__proto__", ""]) assert.equal(isKnownType(name), false, name);
    assert.deepEqual(["boolean", "java.lang.Boolean", "Boolean", "String"].map(isBooleanType), [
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("truthy", () => {
  it("follows ExpressionToPredicateAdapter", () => {
    for (const value of [true, "true", "yes", 0, 1, {}, [0], new JsonText("{}", {}), new Date(0)])
      assert.equal(truthy(value), true);
    for (const value of [false, "false", "FALSE", "", "  ", null, undefined, [], new JsonText("[]", [])]) {
      assert.equal(truthy(value), false);
    }
  });
});

describe("comparison", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.bigInt().map(String),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );

  it("is symmetric, and equality of a value with itself holds", () => {
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        assert.equal(coercedEquals(a, b), coercedEquals(b, a));
        assert.ok(Number.isNaN(a) || coercedEquals(a, a));
        if (typeof a !== "boolean" && typeof b !== "boolean") {
          assert.equal(Math.sign(coercedCompare(a, b)) + 0, -Math.sign(coercedCompare(b, a)) + 0);
        }
      }),
    );
  });

  it("orders texts of digits of any length as BigInt does", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
        assert.equal(Math.sign(coercedCompare(String(a), `${b}`)) + 0, a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe("regular expressions", () => {
  it("match the whole text, find, replace and split as Java's", () => {
    const regex = compileRegex("(\\w)(\\d+)?");
    assert.equal(regex.matches("a12"), true);
    assert.equal(regex.matches("a12 "), false);
    assert.equal(regex.find("  a"), true);
    assert.equal(regex.replaceAll("a12 b", "[$1\\$$2]", 100), "[a$12] [b$]");
    assert.equal(compileRegex("(?P<x>a)").replaceFirst("aa", "<${x}>", 100), "<a>a");
    assert.deepEqual(compileRegex("\\s*,\\s*").split("a , b,,c,,"), ["a", "b", "", "c"]);
    assert.equal(compileRegex("a.b", { caseInsensitive: true, dotAll: true }).matches("A\nB"), true);
  });

  it("take time linear in the text", () => {
    assert.equal(compileRegex("(a+)+$").matches(`${"a".repeat(50_000)}!`), false);
  });

  it("refuse what they cannot read, and replacements that grow or name no group", () => {
    for (const pattern of ["(a", "(?=a)", "a{2000}", "x".repeat(20_000), "(".repeat(5000)]) {
      assert.throws(() => compileRegex(pattern), /bad regular expression/);
    }
    assert.throws(() => compileRegex("a").replaceAll("a", "$1", 100), /no group 1/);
    assert.throws(() => compileRegex("a").replaceAll("a", "\\", 100), /missing/);
    assert.throws(() => compileRegex("a").replaceAll("a".repeat(100), "bbb", 100), /at most 100/);
  });
});
