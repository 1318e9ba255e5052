/** Parameters of SQL statements: which texts are marks, and which values they get. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Parameters } from "../../../src/workers/components/database/parameters.ts";
import { parseQuery, type QueryForm } from "../../../src/workers/components/database/query.ts";
import { splitText } from "../../../src/workers/components/database/split-text.ts";
import { exceptionMessage } from "../../../src/workers/engine/exception.ts";
import { anExchange } from "../../support/exchange.ts";

const postgres = {
  name: "postgres",
  backslashes: false,
  dollarQuotes: true,
  placeholder: (index: number) => `$${index}`,
} as const;
const mysql = { name: "mysql", backslashes: true, dollarQuotes: false, placeholder: () => "?" } as const;

type Dialect = typeof postgres | typeof mysql;

const formOf = (dialect: Dialect, more: Partial<QueryForm> = {}): QueryForm => ({
  placeholder: "#",
  names: true,
  dialect,
  ...more,
});

interface Given {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly dialect?: Dialect;
  readonly form?: Partial<QueryForm>;
}

function bound(text: string, { body = null, headers = {}, dialect = postgres, form }: Given = {}) {
  const exchange = anExchange({ body, headers });
  const simple = (expression: string) => () => `<${expression}>`;
  const parameters = new Parameters(parseQuery(text, formOf(dialect, form)), { separator: ",", simple });
  return parameters.bind({ exchange, value: body }, dialect);
}

const failure = (text: string, given: Given = {}): string => {
  try {
    bound(text, given);
  } catch (error) {
    return exceptionMessage(error);
  }
  return "nothing";
};

describe("marks", () => {
  test("have names, are expressions with braces in them, or count positions", () => {
    const body = { id: 5 };
    assert.deepEqual(bound("select :#id, :#${body[${header.a}]}, :#$simple{body}::text", { body }), {
      text: "select $1, $2, $3::text",
      values: [5, "<${body[${header.a}]}>", "<$simple{body}>"],
    });
    assert.deepEqual(bound("values (#, ?, #)", { body: [1, "b", null], dialect: mysql }), {
      text: "values (?, ?, ?)",
      values: [1, "b", null],
    });
    assert.deepEqual(bound("values (:?id)", { body }).values, [5]);
  });

  test("of lists become as many as the list has elements, whatever it is", () => {
    for (const ids of [["a", "b"], new Set(["a", "b"]), "a, b"])
      assert.deepEqual(bound("delete from t where id in (:#in:ids) and x = :#x", { headers: { ids, x: 1 } }), {
        text: "delete from t where id in ($1, $2) and x = $3",
        values: ["a", "b", 1],
      });
    for (const ids of [[], null, ""])
      assert.match(failure("select 1 where a in (:#in:ids)", { headers: { ids } }), /':#in:ids'.* is empty/);
  });

  const quoted = [
    "'#'",
    "':#a ''?'",
    '"#"',
    "-- # :#a\n",
    "/* # */",
    "/* /* # */ ? */",
    "$$ # ? $$",
    "$t$ :#a $$ $t$",
    "E'\\' #'",
  ];
  for (const text of quoted)
    test(`in ${JSON.stringify(text)} are left as they are`, () => {
      assert.deepEqual(bound(`select ${text} , :#id`, { body: { id: 1 } }), {
        text: `select ${text} , $1`,
        values: [1],
      });
    });

  test("in texts and comments of MySQL are left as they are", () => {
    for (const text of ["'\\' #'", '"\\" ?"', "`#`", "/* /* # */", "-- #\n"])
      assert.deepEqual(bound(`select ${text}, #`, { body: [1], dialect: mysql }).text, `select ${text}, ?`);
    // Two signs, no comment.
    assert.deepEqual(bound("select 5--#", { body: [1], dialect: mysql }).text, "select 5--?");
  });

  test("that are meant as operators are written twice, or with a backslash, or others are marks", () => {
    assert.deepEqual(
      bound("select a ?? 'k', b \\#> 'p', :#id", { body: { id: 1 } }).text,
      "select a ? 'k', b #> 'p', $1",
    );
    assert.equal(bound("select a #> §", { body: [1], form: { placeholder: "§" } }).text, "select a #> $1");
    assert.equal(bound("select a #> ?", { body: [1], form: { placeholder: undefined } }).text, "select a #> $1");
  });

  test("without names are positions, and casts and slices are none", () => {
    assert.deepEqual(bound("select '1'::int, a[1:2], x[:2]"), { text: "select '1'::int, a[1:2], x[:2]", values: [] });
    assert.deepEqual(bound("select :x, #", { body: [1], form: { names: false } }).text, "select :x, $1");
  });

  test("of both sorts in one statement are refused, and so is an expression without an end", () => {
    assert.match(failure("select #, :#id"), /either parameters by position or named ones.*write \?\? for an operator/);
    assert.match(failure("select :#${body"), /no closing brace/);
  });
});

describe("values", () => {
  test("by name come from the body, then headers, then variables; a row's names match in any case", () => {
    assert.deepEqual(bound("select :#a, :#b, :#ID", { body: { a: 1, id: 3 }, headers: { a: 2, B: "b" } }).values, [
      1,
      "b",
      3,
    ]);
    assert.match(
      failure("select :#missing", { body: { a: 1 } }),
      /':#missing' of 'select :#missing' is neither a header nor a property, a variable or a key of the body/,
    );
  });

  test("by position are an element each, of a text what stands between separators", () => {
    assert.deepEqual(bound("values (#, #)", { body: "1, 'a, b'" }).values, ["1", "a, b"]);
    assert.deepEqual(bound("values (#)", { body: "1, 2" }).values, ["1, 2"]);
    assert.deepEqual(bound("values (#, #)", { body: { x: 1, y: 2 } }).values, [1, 2]);
    assert.match(failure("values (#, #)", { body: [1] }), /has 2 parameters, and the message gives 1 values/);
    assert.match(failure("values (#)", { body: null }), /has 1 parameters, and the message gives 0 values/);
  });

  test("of a text keep what is in quotes", () => {
    assert.deepEqual(splitText(`a; "b;c" ;' d '; `, ";"), ["a", "b;c", " d ", ""]);
    assert.deepEqual(splitText("  ", ","), []);
  });
});

describe("any statement", () => {
  const word = fc.stringMatching(/^[a-z]{1,6}$/);
  const literal = fc.oneof(
    word,
    fc.string({ unit: fc.constantFrom("#", "?", ":", "a", " ", "''") }).map((text) => `'${text}'`),
    fc.string({ unit: fc.constantFrom("#", "?", "a", " ") }).map((text) => `/*${text}*/`),
    fc.constantFrom("::int", "->>", "(", ")", ",", "1.5"),
  );
  const mark = word.map((name) => ({ name }));

  test("keeps all that is no mark, and its values stand in the order of the marks", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(literal, mark), { maxLength: 20 }), (parts) => {
        const names = parts.filter((part) => typeof part !== "string").map(({ name }) => name);
        const text = parts.map((part) => (typeof part === "string" ? part : `:#${part.name}`)).join(" ");
        let index = 0;
        const expected = parts.map((part) => (typeof part === "string" ? part : `$${++index}`)).join(" ");
        const body = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
        assert.deepEqual(bound(text, { body }), { text: expected, values: names.map((name) => body[name]) });
      }),
    );
  });

  test("is read to its end, or refused with a reason", () => {
    const unit = fc.constantFrom("'", '"', "$", "{", "}", "#", "?", ":", "\\", "-", "/", "*", "a", "in:", "\n", "`");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.constantFrom(postgres, mysql), (text, dialect) => {
        try {
          const { parts, count } = parseQuery(text, formOf(dialect));
          assert.equal(parts.filter((part) => typeof part !== "string").length, count);
        } catch (error) {
          assert.match(exceptionMessage(error), /closing brace|by position or named/);
        }
      }),
    );
  });
});
