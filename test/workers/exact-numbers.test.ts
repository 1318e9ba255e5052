/** Whole numbers beyond 2^53 keep every digit: from JSON text through each language and step to JSON text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exceptionMessage, exceptionType } from "../../src/workers/engine/exception.ts";
import { runSteps } from "../support/run-route.ts";
import { mappingsOf } from "../support/with-mappings.ts";

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
    const steps = `- transform: { jq: . }\n- transform: { ${language}: ${JSON.stringify(text)} }`;
    assert.equal(await jsonAfter(steps), json, text);
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
    ["1e400", '"Infinity"'],
    ["-1e400", '"-Infinity"'],
    ['"9007199254740993"', '"9007199254740993"'],
    ['"x: 9007199254740993 "', '"x: 9007199254740993 "'],
    ["1".repeat(1000), "1".repeat(1000)],
  ] as const) {
    assert.equal(await jsonAfter("- unmarshal: { json: {} }", `[${given}]`), `[${kept}]`);
  }
});

test("what looks like such a number in a text or a name stays as it is, and no document is read that is no JSON", async () => {
  for (const json of [
    `{"a":", ${id} ,","b":${id},"c":"\\\\","d":": ${id}","e":"\\" ,${id}, \\"","f":[${id}]}`,
    `{"${id}":"${id}"}`,
    `{"__proto__":${id},"constructor":{"__proto__":[${id}]}}`,
  ]) {
    assert.equal(await jsonAfter("- unmarshal: { json: {} }", json), json);
  }
  for (const json of [`[0${id}]`, `{ ${id} : 1}`, `[${id} 5]`, `[-${id}-]`, `["${id}]`, `{"a" ${id}}`, `[${id},]`]) {
    const { error } = await runSteps("- unmarshal: { json: {} }", { body: json });
    assert.equal(exceptionType(error), "com.fasterxml.jackson.core.JsonParseException", json);
  }
  const deep = `${"[".repeat(5000)}${id}${"]".repeat(5000)}`;
  assert.equal((await runSteps("- unmarshal: { json: {} }", { body: deep })).error, undefined);
});

test("a number of more than 1000 digits is refused, as by Jackson", async () => {
  const { error } = await runSteps("- unmarshal: { json: {} }", { body: `[${"1".repeat(1001)}]` });
  assert.equal(exceptionType(error), "com.fasterxml.jackson.core.exc.StreamConstraintsException");
  assert.match(exceptionMessage(error), /a number of 1001 digits, where a whole number has at most 1000/);
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

test("jsonpath keeps them, selects by them and adds them exactly", async () => {
  await valuesOf("jsonpath", [
    ["$.id", id],
    ["$.list[?(@ == 9007199254740993)]", `[${id}]`],
    ["$.list[?(@ > 9007199254740992)]", `[${id}]`],
    ["$.list[?(@ < 0)]", `[${long}]`],
    ["$.list[?(@ in [9007199254740993])]", `[${id}]`],
    ["$.list[?(@ == 9007199254740992)]", "[]"],
    ["$.list.max()", id],
    ["$.list.min()", long],
    ["$.list.sum()", "-123456789012336671701979826896"],
  ]);
});

test("a script sees them as BigInt, and reads and writes them exactly", async () => {
  await valuesOf("js", [
    ["body.id", id],
    ["typeof body.id", '"bigint"'],
    ["body.id + 1n", "9007199254740994"],
    ["[body.id > 9007199254740992, body.id == 9007199254740993n, body.d + 1]", "[true,true,2.5]"],
    ["JSON.stringify({ id: body.id, list: body.list })", `"{\\"id\\":${id},\\"list\\":[${id},1,${long}]}"`],
    ["JSON.stringify([body.id, 1], null, 1)", `"[\\n ${id},\\n 1\\n]"`],
    ["JSON.parse(body).n", long],
    [
      `JSON.parse('[0.12345678901234567890, "9007199254740993", 9007199254740993]')`,
      `[0.12345678901234568,"${id}",${id}]`,
    ],
    ["JSON.parse('[1]', (key, value) => value)", "[1]"],
    ["BigInt(5) * 2n", "10"],
    ["`${body.id}`", `"${id}"`],
  ]);
});

test("formats read and write them exactly", async () => {
  const through = async (steps: string, body: string): Promise<unknown> => {
    const { exchange, error } = await runSteps(`${steps}\n- convertBodyTo: { type: String }`, { body });
    assert.equal(error, undefined);
    return exchange.message.body;
  };
  const json = `[{"id":${id},"n":${long},"s":"${id}"}]`;
  const read = "- unmarshal: { json: {} }";
  assert.equal(await through(`${read}\n- marshal: { csv: {} }`, json), `${id},${long},${id}\r\n`);
  assert.equal(
    await through(`${read}\n- marshal: { yaml: {} }`, `{"id":${id},"n":-${id},"s":"${id}"}`),
    `{id: ${id}, n: -${id}, s: '${id}'}\n`,
  );
  assert.equal(
    await through(`${read}\n- marshal: { jacksonXml: {} }`, json),
    `<ArrayList><item><id>${id}</id><n>${long}</n><s>${id}</s></item></ArrayList>`,
  );
  const root = "- setBody: { simple: '${body[0][id]}' }\n- marshal: { jacksonXml: {} }";
  assert.equal(await through(`${read}\n${root}`, json), `<Long>${id}</Long>`);
  const yaml = `a: ${id}\nb: -0x20000000000001\nc: 9_007_199_254_740_993\nd: 12\ne: 017\nf: 1.5\n`;
  assert.equal(
    await through("- unmarshal: { yaml: {} }\n- marshal: { json: {} }", yaml),
    `{"a":${id},"b":-${id},"c":${id},"d":12,"e":15,"f":1.5}`,
  );
});

test("a value mapping has them as keys and as values", async () => {
  const document = `{"rows":[{"a":${id},"b":"exact"},{"a":9007199254740992,"b":-${id}}]}`;
  const mappings = mappingsOf({ ids: document });
  for (const [text, value] of [
    ["${vmap:ids:a:b:${body[id]}}", "exact"],
    ["${vmap:ids:a:b:9007199254740992}", `-${id}`],
    ["${vmap:ids:b:a:exact}", id],
  ] as const) {
    const steps = `- unmarshal: { json: {} }\n- setBody: { simple: ${JSON.stringify(text)} }`;
    const { exchange, error } = await runSteps(steps, { body, mappings });
    assert.equal(error, undefined, text);
    assert.equal(String(exchange.message.body), value, text);
  }
});

test("a list of them is sorted by their values", async () => {
  const sorted = await jsonAfter(
    "- unmarshal: { json: {} }\n- sort: { simple: '${body}' }",
    `[5,${id},${long},${id}0,7]`,
  );
  assert.equal(sorted, `[${long},5,7,${id},${id}0]`);
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
