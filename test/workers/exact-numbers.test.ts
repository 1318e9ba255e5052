/** Whole numbers beyond 2^53 keep every digit: from JSON text through each language and step to JSON text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exceptionMessage, exceptionType } from "../../src/workers/engine/exception.ts";
import { runSteps } from "../support/run-route.ts";

const id = "9007199254740993";
const long = "-123456789012345678901234567890";
const body = `{"id":${id},"n":${long},"list":[${id},1,${long}],"text":"${id}","d":1.5}`;

/** The body as JSON text after the steps. Throws what they fail with. */
async function jsonAfter(steps: string, json: string = body): Promise<unknown> {
  const text = `${steps}\n- marshal: { json: {} }\n- convertBodyTo: { type: String }`;
  const { exchange, error } = await runSteps(text, { body: json });
  if (error !== undefined) throw error;
  return exchange.message.body;
}

async function valuesOf(language: string, cases: readonly (readonly [text: string, json: string])[]): Promise<void> {
  for (const [text, json] of cases) {
    assert.equal(await jsonAfter(`- transform: { ${language}: ${JSON.stringify(text)} }`), json, text);
  }
}

test("unmarshal and marshal keep the digits, whatever the document and its layout", async () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  const leaf = fc.oneof(
    whole.map(String),
    fc.integer().map(String),
    fc.string().map((text) => JSON.stringify(text)),
  );
  const { json } = fc.letrec<{ json: string; list: string; map: string }>((tie) => ({
    json: fc.oneof({ depthSize: "small" }, leaf, tie("list"), tie("map")),
    list: fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    map: fc
      .uniqueArray(fc.tuple(whole, tie("json")), { maxLength: 4, selector: ([key]) => key })
      .map((entries) => `{${entries.map(([key, value]) => `"k${key}":${value}`).join(",")}}`),
  }));
  await fc.assert(
    fc.asyncProperty(json, fc.constantFrom("", " ", "\n\t"), async (text, space) => {
      const spaced = text.startsWith('"') ? text : `${space}${text}${space}`;
      assert.equal(await jsonAfter("- unmarshal: { json: {} }", spaced), text);
    }),
    { numRuns: 200 },
  );
});

test("a number is whole by its text: decimals and exponents are doubles", async () => {
  for (const [given, kept] of [
    ["9007199254740991", "9007199254740991"],
    ["9007199254740992", "9007199254740992"],
    ["-9007199254740993", "-9007199254740993"],
    ["-0", "0"],
    ["1.0", "1"],
    ["1e2", "100"],
    ["9007199254740993.0", "9007199254740992"],
    ["0.12345678901234567890", "0.12345678901234568"],
    ['"9007199254740993"', '"9007199254740993"'],
    ['"x: 9007199254740993 "', '"x: 9007199254740993 "'],
    ["1".repeat(1000), "1".repeat(1000)],
  ] as const) {
    assert.equal(await jsonAfter("- unmarshal: { json: {} }", `[${given}]`), `[${kept}]`);
  }
});

test("a number of more than 1000 digits is refused, as by Jackson", async () => {
  const { error } = await runSteps("- unmarshal: { json: {} }", { body: `[${"1".repeat(1001)}]` });
  assert.equal(exceptionType(error), "com.fasterxml.jackson.core.exc.StreamConstraintsException");
  assert.match(exceptionMessage(error), /a whole number has at most 1000/);
});

test("simple shows, compares, counts and converts them exactly", async () => {
  const steps = "- unmarshal: { json: {} }\n- setHeader: { name: id, simple: '${body[id]}' }";
  for (const [text, value] of [
    ["${body[id]} ${body[n]} ${body[list]}", `${id} ${long} [${id}, 1, ${long}]`],
    ["${body[id].class.name} ${body[n].class.name}", "java.lang.Long java.math.BigInteger"],
    ["${header.id}++", "9007199254740994"],
    ["${header.id}--", "9007199254740992"],
    ["${body[id].equals(9007199254740993)} ${body[id].compareTo(9007199254740992)}", "true 1"],
    ["${sum(${body[id]},1)} ${max(${body[id]},5)} ${min(${body[id]},5)}", "9007199254740994 9007199254740993 5"],
    [
      "${bodyAs(String)}",
      "{id=9007199254740993, n=-123456789012345678901234567890, list=[9007199254740993, 1, -123456789012345678901234567890], text=9007199254740993, d=1.5}",
    ],
  ] as const) {
    const { exchange, error } = await runSteps(`${steps}\n- setBody: { simple: ${JSON.stringify(text)} }`, { body });
    assert.equal(error, undefined, text);
    assert.equal(String(exchange.message.body), value, text);
  }
  for (const [text, holds] of [
    ["${body[id]} == 9007199254740993", true],
    ["${body[id]} == '9007199254740993'", true],
    ["${body[id]} == ${body[text]}", true],
    ["${body[id]} == 9007199254740992", false],
    ["${body[id]} != 9007199254740992", true],
    ["${body[id]} > 9007199254740992", true],
    ["${body[id]} >= 9007199254740994", false],
    ["${body[n]} < 0", true],
    ["${body[n]} == '-123456789012345678901234567890'", true],
    ["${body[id]} in '9007199254740993,1'", true],
    ["${body[list]} contains 9007199254740993", true],
    ["${body[id]} is 'java.lang.Long'", true],
    ["${body[id]} is 'java.lang.Number'", true],
    ["${body[id]} range '1..5'", false],
  ] as const) {
    const filter = `- filter: { simple: ${JSON.stringify(text)}, steps: [{ setHeader: { name: held, constant: "yes" } }] }`;
    const { exchange, error } = await runSteps(`${steps}\n${filter}`, { body });
    assert.equal(error, undefined, text);
    assert.equal(exchange.message.headers.get("held") === "yes", holds, text);
  }
});

test("jq keeps them, compares them and adds, subtracts and multiplies whole numbers exactly", async () => {
  await valuesOf("jq", [
    ["{a: .id, s: (.id | tostring), j: (.list | tojson)}", `{"a":${id},"s":"${id}","j":"[${id},1,${long}]"}`],
    [".list | map({v: .})", `[{"v":${id}},{"v":1},{"v":${long}}]`],
    [
      "[.id + 1, .id - 1, .id * 2, -.id, .id % 10]",
      "[9007199254740994,9007199254740992,18014398509481986,-9007199254740993,3]",
    ],
    ["[9007199254740991 + 2, .id / 1]", "[9007199254740993,9007199254740992]"],
    ["[.id == 9007199254740992, .id == 9007199254740993, .id > 9007199254740992]", "[false,true,true]"],
    [
      ".list | [sort, unique, min, max, add]",
      `[[${long},1,${id}],[${long},1,${id}],${long},${id},-123456789012336671701979826896]`,
    ],
    [
      "[(.text | tonumber), (.id | floor), (.id | type), (.n | length), (.n | fabs)]",
      `[${id},${id},"number",${long.slice(1)},${long.slice(1)}]`,
    ],
    [". + {id2: .id} | to_entries | map(.value) | .[-1]", id],
    ['"\\(.id)" + (.id | @text) + ([.id] | @csv)', `"${id}${id}${id}"`],
    [".id |= . + 0", body],
    ["[.list[] | select(. == 9007199254740993)]", `[${id}]`],
    ["[.list[.id]?, .d * 2, (.id | tojson | fromjson)]", `[null,3,${id}]`],
  ]);
});

test("jsonata keeps them, compares them and adds, subtracts and multiplies whole numbers exactly", async () => {
  await valuesOf("jsonata", [
    [
      '{"a": id, "s": $string(id), "j": $string(list), "c": id & "!"}',
      `{"a":${id},"s":"${id}","j":"[${id},1,${long}]","c":"${id}!"}`,
    ],
    [
      "[id + 1, id - 1, id * 2, -id, id % 10, id / 1]",
      "[9007199254740994,9007199254740992,18014398509481986,-9007199254740993,3,9007199254740992]",
    ],
    ["[id = 9007199254740993, id = 9007199254740992, id > 9007199254740992, id in list]", "[true,false,true,true]"],
    ["$sort(list)", `[${long},1,${id}]`],
    ["list^(>$)", `[${id},1,${long}]`],
    [
      "[$max(list), $min(list), $abs(n), $floor(id), $round(id), $number(text)]",
      `[${id},${long},${long.slice(1)},${id},${id},${id}]`,
    ],
    [
      "[$sum(list), $type(id), $boolean(id), $exists(list[id])]",
      `[-123456789012336671701979826896,"number",true,false]`,
    ],
    ["list[$ = 9007199254740993]", id],
    ["[$sqrt(id), $power(id, 1), $average([id, id])]", "[94906265.62425156,9007199254740992,9007199254740992]"],
    ["[$formatBase(id, 16)]", '["20000000000000"]'],
    ["$map(list, function($v) { $v })", `[${id},1,${long}]`],
    ["$ ~> |$|{'id': id + 0}|", body],
  ]);
});
