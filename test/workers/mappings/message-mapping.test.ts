/** Message mappings in a flow: rules, targets, lists, what is missing, failures. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { failureOf, mapped, outcomeOf } from "./map-message.ts";

const status = { "order-status": { rows: [{ crm: "New", erp: "ZNEW" }] } };
const orders = {
  name: "CRM order -> ERP order",
  language: "jsonata",
  source: { format: "json", sample: {} },
  target: { format: "json", schema: { type: "object", required: ["order"] }, validate: "fail" },
  rules: [
    { id: "r1", target: "/order/id", expr: "orderNo", required: true },
    { id: "r2", target: "/order/status", expr: "$vmap('order-status','crm','erp',status)" },
    {
      id: "r3",
      target: "/order/lines",
      forEach: "items",
      rules: [
        { target: "/sku", expr: "sku" },
        { target: "/qty", expr: "$number(quantity)", default: 1 },
      ],
    },
    { id: "r4", target: "/order/note", expr: "note", when: "$exists(note)" },
  ],
};

test("the documented mapping maps an order", async () => {
  const order = { orderNo: "17", status: "New", items: [{ sku: "A", quantity: "2" }, { sku: "B" }] };
  const result = {
    order: {
      id: "17",
      status: "ZNEW",
      lines: [
        { sku: "A", qty: 2 },
        { sku: "B", qty: 1 },
      ],
    },
  };
  assert.deepEqual(await mapped(orders, order, { values: status }), result);
  assert.deepEqual(await mapped(orders, order, { values: status, step: 'to: "mapping:m"' }), result);
  assert.deepEqual(await mapped(orders, { ...order, items: [], note: "hurry" }, { values: status }), {
    order: { id: "17", status: "ZNEW", lines: [], note: "hurry" },
  });
});

test("a failure names the mapping, the rule, the target and the column", async () => {
  const order = {
    orderNo: "17",
    status: "New",
    items: [
      { sku: "A", quantity: "1" },
      { sku: "B", quantity: "x" },
    ],
  };
  assert.equal(
    await failureOf(orders, order, { values: status }),
    "com.dashjoin.jsonata.JException: mapping 'm' rule r3 -> /order/lines/1/qty: Unable to cast value to a number: \"x\" (column 1)",
  );
  assert.match(
    await failureOf(orders, { status: "New" }, { values: status }),
    /^MessageMappingException: mapping 'm' rule r1 -> \/order\/id: there is no value: 'orderNo' gives nothing/,
  );
  assert.match(
    await failureOf(orders, { orderNo: "1", status: "Odd" }, { values: status }),
    /^ValueMappingNotFoundException: mapping 'm' rule r2 -> \/order\/status: value mapping 'order-status'/,
  );
  assert.match(
    await failureOf({ mappings: { "/a": "'n: ' &\n $number(x)" } }, { x: "?" }),
    /rule r1 -> \/a: .* \(line 2, column 2\)/,
  );
  assert.match(
    await failureOf(orders, "not json", { values: status }),
    /JsonParseException: mapping 'm': the input is not JSON/,
  );
});

test("short forms", async () => {
  assert.deepEqual(
    await mapped({ expression: "{ 'id': orderNo, 'n': $count(items) }" }, { orderNo: 1, items: [1, 2] }),
    { id: 1, n: 2 },
  );
  assert.equal(await mapped({ expression: "missing" }, {}), null);
  const nested = { order: { id: 1, "a.b": 2 }, list: [{ x: 3 }] };
  assert.deepEqual(
    await mapped({ mappings: { "order.id": "a", "/order/a.b": "b", "list[0].x": "c" } }, { a: 1, b: 2, c: 3 }),
    nested,
  );
  assert.deepEqual(
    await mapped(
      { fields: { "$.order.id": "$.a", "/order/a.b": { expr: "z", default: 2 }, "/list/-/x": "c" } },
      { a: 1, c: 3 },
    ),
    nested,
  );
  assert.deepEqual(
    await mapped(
      {
        mappings: [
          { source: "$.a", target: "b.c" },
          { from: "a", to: "/d" },
        ],
      },
      { a: 1 },
    ),
    { b: { c: 1 }, d: 1 },
  );
  assert.deepEqual(await mapped({ rules: [] }, { a: 1 }), {});
});

test("a forEach makes a list, however many items there are, to any depth", async () => {
  const document = {
    rules: [
      {
        target: "/active",
        forEach: "items[on]",
        rules: [
          { target: "/sku", expr: "sku" },
          { target: "/no", expr: "$index + 1" },
        ],
      },
      { target: "/skus", forEach: "items", expr: "sku" },
      {
        target: "/groups",
        forEach: "groups",
        rules: [
          { target: "/name", expr: "n" },
          {
            target: "/parts",
            forEach: "parts",
            rules: [{ target: "", expr: "$parent.n & ':' & $ & '/' & $root.id & '/' & $index" }],
          },
        ],
      },
      { target: "/none", forEach: "missing", expr: "$" },
      { target: "/nothing", forEach: "nothing", expr: "$" },
      { target: "/fallback", forEach: "missing", expr: "$", default: [] },
    ],
  };
  const input = {
    id: 7,
    nothing: null,
    items: [{ sku: "A", on: true }, { sku: "B", on: false }, {}],
    groups: [
      { n: "g", parts: "only" },
      { n: "h", parts: ["p", "q"] },
    ],
  };
  assert.deepEqual(await mapped(document, input), {
    active: [{ sku: "A", no: 1 }],
    skus: ["A", "B"],
    groups: [
      { name: "g", parts: ["g:only/7/0"] },
      { name: "h", parts: ["h:p/7/0", "h:q/7/1"] },
    ],
    fallback: [],
  });
});

test("where the schema says a list, a single result becomes one", async () => {
  const schema = {
    $defs: { line: { type: "object", properties: { tags: { type: ["array", "null"] } } } },
    type: "object",
    properties: {
      skus: { type: "array", items: { type: "string" } },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      free: { type: ["array", "string"] },
    },
  };
  const target = { schema, validate: "fail" };
  const rules = { skus: "items[on].sku", lines: "items[on].{'tags': sku}", free: "items[on].sku" };
  assert.deepEqual(await mapped({ mappings: rules, target }, { items: [{ sku: "A", on: true }, { sku: "B" }] }), {
    skus: ["A"],
    lines: [{ tags: ["A"] }],
    free: "A",
  });
  const whole = { expression: "{ 'skus': items.sku, 'lines': null }", target: { schema, validate: "off" } };
  assert.deepEqual(await mapped(whole, { items: [{ sku: "A" }] }), { skus: ["A"], lines: null });
});

test("what is missing is left out, null or a failure; defaults come first", async () => {
  const rules = [
    { target: "/a", expr: "x" },
    { target: "/b", expr: "x", default: null },
    { target: "/c", expr: "n" },
    { target: "/d", forEach: "l", expr: "y" },
  ];
  const input = { n: null, l: [{ y: 1 }, {}] };
  assert.deepEqual(await mapped({ rules }, input), { b: null, c: null, d: [1] });
  assert.deepEqual(await mapped({ rules, onMissing: "null" }, input), { a: null, b: null, c: null, d: [1, null] });
  assert.match(await failureOf({ rules, onMissing: "error" }, input), /rule r1 -> \/a: there is no value/);
  assert.match(
    await failureOf({ rules: rules.slice(3), onMissing: "error" }, input),
    /rule r1 -> \/d\/1: there is no value/,
  );
});

test("a rule without an id is called after its place, or otherwise where another rule has that as its id", async () => {
  const rules = [
    { id: "r3", target: "/a", expr: "x" },
    { target: "/b", forEach: "l", rules: [{ id: "r2.1", target: "/n", expr: "n" }] },
    { target: "/c", expr: "$number(x)" },
    { target: "/d", forEach: "l", rules: [{ target: "/n", expr: "$number(x)" }] },
  ];
  assert.match(await failureOf({ rules }, { x: "?", l: [{ n: 1 }] }), /rule r3_ -> \/c: Unable to cast/);
  const others = rules.filter(({ target }) => target !== "/c");
  assert.match(
    await failureOf({ rules: others }, { x: "1", l: [{ x: "?" }] }),
    /rule r3_ -> \/d\/0\/n: Unable to cast/,
  );
});

test("a rule with a `when` counts when it holds, by JSONata's truth", async () => {
  const when = (text: string) => ({
    rules: [{ target: "/a", expr: "'yes'", when: text, required: true, default: "no" }],
  });
  const input = { t: "x", e: "", z: 0, l: [0], m: [0, 1], o: {}, p: { q: 1 } };
  for (const text of ["t", "m", "p", "t = 'x'", "$exists(z)"])
    assert.deepEqual(await mapped(when(text), input), { a: "yes" }, text);
  for (const text of ["e", "z", "l", "o", "missing", "t = 'y'", "null"])
    assert.deepEqual(await mapped(when(text), input), {}, text);
  const either = {
    rules: [
      { target: "/a", expr: "1", when: "t" },
      { target: "/a", expr: "2", when: "e" },
    ],
  };
  assert.deepEqual(await mapped(either, input), { a: 1 });
});

test("failures of rules: the mapping fails, the target is null, or they are listed", async () => {
  const rules = { a: "$number(x)", "l[0].b": "y", c: "$number(z)" };
  const input = { x: "?", y: 1, z: "!" };
  assert.match(await failureOf({ mappings: rules }, input), /rule r1 -> \/a: Unable to cast/);
  const asNull = await outcomeOf({ mappings: rules, onError: "null" }, input);
  assert.deepEqual(asNull.exchange.message.value, { a: null, l: [{ b: 1 }], c: null });
  const collected = await outcomeOf({ mappings: rules, onError: "collect" }, input);
  assert.deepEqual(collected.exchange.message.value, { l: [{ b: 1 }] });
  assert.deepEqual(collected.exchange.properties.get("mappingErrors"), [
    { rule: "r1", target: "/a", message: 'Unable to cast value to a number: "?" (column 1)' },
    { rule: "r3", target: "/c", message: 'Unable to cast value to a number: "!" (column 1)' },
  ]);
  const fine = await outcomeOf(
    { mappings: rules, onError: "collect" },
    { x: 1, y: 1, z: 1 },
    { properties: { mappingErrors: "old" } },
  );
  assert.equal(fine.exchange.properties.has("mappingErrors"), false);
  const inList = { rules: [{ target: "/l", forEach: "l", expr: "$number($)" }], onError: "null" };
  assert.deepEqual(await mapped(inList, { l: ["1", "x"] }), { l: [1, null] });
});

test("what is around the message is in scope", async () => {
  const expression = "[$headers.h, $properties.p, $variables.v.w, $params.env, $body.a, $root.a, $$.a]";
  const around = { headers: { h: "H" }, properties: { p: 2 }, variables: { v: { w: 3 } }, params: { env: "test" } };
  assert.deepEqual(await mapped({ expression }, { a: 1 }, around), ["H", 2, 3, "test", 1, 1, 1]);
  assert.deepEqual(await mapped({ mappings: { h: "$headers.h & '!'", p: "$params.env" } }, {}, around), {
    h: "H!",
    p: "test",
  });
  const ids = (await mapped(
    { mappings: { a: "$uuid()", b: "($uuid())", c: "$now()", d: "$now('[Y]')", e: "($t := $millis(); $t)" } },
    {},
  )) as Record<string, string>;
  assert.match(ids["a"] ?? "", /^[\da-f]{8}-[\da-f]{4}-4/);
  assert.notEqual(ids["a"], ids["b"]);
  assert.equal(new Date(ids["c"] ?? "").getTime(), ids["e"]);
  assert.equal(ids["d"], (ids["c"] ?? "").slice(0, 4));
});

test("$vmap looks up, by qualifiers too, in the jsonata language as well", async () => {
  const values = {
    s: {
      columns: { a: {}, b: {} },
      rows: [
        { a: "1", b: "x" },
        { a: "1", b: "y", when: { c: "DE" } },
      ],
    },
  };
  const mappings = {
    p: "$vmap('s', 'a', 'b', v)",
    q: "$vmap('s', 'a', 'b', v, {'c': c})",
    r: "$vmap('s', 'a', 'b', missing)",
  };
  assert.deepEqual(await mapped({ mappings }, { v: "1", c: "DE" }, { values }), { p: "x", q: "y" });
  const step = "setBody: { jsonata: \"$vmap('s', 'a', 'b', v) & '!'\" }";
  assert.equal(await mapped({ rules: [] }, { v: "1" }, { values, step }), "x!");
  const computed = "setBody: { jsonata: \"$vmap(v, 'a', 'b', v)\" }";
  await assert.rejects(mapped({ rules: [] }, {}, { values, step: computed }), /must be a text literal/);
});

test("whole numbers beyond 2^53 stay exact", async () => {
  const text =
    '{"id": 12345678901234567890, "n": 9007199254740991, "list": [-9007199254740993], "d": 0.12345678901234567890, "t": "1234567890123456789"}';
  assert.deepEqual(await mapped({ expression: "$" }, text), {
    id: 12345678901234567890n,
    n: 9007199254740991,
    list: [-9007199254740993n],
    d: 0.12345678901234568,
    t: "1234567890123456789",
  });
  assert.deepEqual(await mapped({ mappings: { id: "id", key: "'K' & id" } }, text), {
    id: 12345678901234567890n,
    key: "K12345678901234567890",
  });
});

test("targets reach no prototype, and nothing of the message is written into", async () => {
  const result = (await mapped(
    { mappings: { "/__proto__/polluted": "1", "/constructor/prototype/x": "2" } },
    {},
  )) as object;
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.equal(JSON.stringify(result), '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":2}}}');
  const steps =
    "setVariable: { name: before, simple: '${body}' }\n- unmarshal: { json: {} }\n- setVariable: { name: kept, simple: '${body}' }\n- messageMapping: m";
  const document = {
    rules: [
      { target: "/c", expr: "c", when: "true" },
      { target: "/c/new", expr: "1" },
      { target: "/l", expr: "l", when: "true" },
      { target: "/l/-", expr: "9" },
    ],
  };
  const { exchange } = await outcomeOf(document, { c: { old: 1 }, l: [1] }, { step: steps });
  assert.deepEqual(exchange.message.value, { c: { old: 1, new: 1 }, l: [1, 9] });
  assert.deepEqual(exchange.variables.get("kept"), { c: { old: 1 }, l: [1] });
});

test("a place that an earlier rule has made impossible is a failure of the later one", async () => {
  const rules = [
    { target: "/a", expr: "x", when: "true" },
    { target: "/a/b", expr: "1" },
  ];
  assert.match(await failureOf({ rules }, { x: "text" }), /rule r2 -> \/a\/b: \/a is a text by an earlier rule/);
  assert.match(await failureOf({ rules }, { x: [1] }), /rule r2 -> \/a\/b: \/a is a list by an earlier rule/);
  assert.deepEqual(await mapped({ rules, onError: "null" }, { x: 1 }), { a: 1 });
  assert.match(await failureOf({ mappings: { "/l/99999999": "1" } }, {}), /places up to 10000/);
  assert.deepEqual(await mapped({ mappings: { "/l/2": "1" } }, {}), { l: [null, null, 1] });
});

test("a schema takes whole numbers beyond 2^53 by all their digits", async () => {
  const id = { type: "integer", minimum: 9007199254740993n, multipleOf: 3 };
  const fail = `{"mappings":{"id":"id"},"target":{"schema":${JSON.stringify({ type: "object", properties: { id } })}}}`;
  assert.deepEqual(await mapped(fail, '{"id": 9007199254740993}'), { id: 9007199254740993n });
  assert.match(await failureOf(fail, '{"id": 9007199254740992}'), /fit the schema: \/id: .*9007199254740992/);
  assert.match(await failureOf(fail, '{"id": 9007199254740994}'), /fit the schema: \/id: .*not a multiple of 3/);
});

test("the schema is insisted on, warned of, or left alone", async () => {
  const schema = {
    type: "object",
    properties: {
      id: { type: "string", pattern: "^[A-Z]+\\d{2}$" },
      lines: { type: "array", items: { type: "object", required: ["sku"] } },
    },
    patternProperties: { "^x_(a+)+$": { type: "number" } },
  };
  const mappings = { id: "id", lines: "lines", x_aa: "x" };
  const good = { id: "A17", lines: [{ sku: 1 }], x: 1 };
  const fail = { mappings, target: { schema } };
  assert.deepEqual(await mapped(fail, good), { id: "A17", lines: [{ sku: 1 }], x_aa: 1 });
  assert.match(
    await failureOf(fail, { ...good, id: "17" }),
    /JsonValidationException: mapping 'm': the result does not fit the schema: \/id: /,
  );
  assert.match(await failureOf(fail, { ...good, lines: [{ sku: 1 }, {}] }), /: \/lines\/1: .*sku/);
  assert.match(await failureOf(fail, { ...good, x: "text" }), /: \/x_aa: /);
  const warned = await outcomeOf({ mappings, target: { schema, validate: "warn" } }, { ...good, id: "17" });
  assert.deepEqual(warned.exchange.message.value, { id: "17", lines: [{ sku: 1 }], x_aa: 1 });
  assert.equal((warned.exchange.properties.get("mappingInvalid") as { path: string }[])[0]?.path, "/id");
  assert.match(warned.logs[0]?.message ?? "", /^mapping 'm': the result does not fit/);
  assert.equal(warned.logs[0]?.level, "WARN");
  assert.deepEqual(await mapped({ mappings, target: { schema, validate: "off" } }, { ...good, id: "17" }), {
    id: "17",
    lines: [{ sku: 1 }],
    x_aa: 1,
  });
});

test("patterns of a schema take linear time", async () => {
  const document = { mappings: { a: "a" }, target: { schema: { properties: { a: { pattern: "^(a+)+$" } } } } };
  assert.match(await failureOf(document, { a: `${"a".repeat(50_000)}!` }), /does not fit the schema/);
});

test("every mapping ends: in time, in depth, in size", async () => {
  const limits = { scriptMs: 200, messageBodyBytes: 1_000_000 };
  // What does not end by its time has so much of it that a busy machine does not matter.
  const long = { ...limits, scriptMs: 30_000 };
  const endless = "($f := function($x) { $f($x) }; $f(1))";
  assert.match(
    await failureOf({ mappings: { "/a/b": endless }, onError: "collect" }, {}, { limits }),
    /^LimitExceededException: mapping 'm' rule r1 -> \/a\/b: .*runs for at most 200 ms: raise the limit scriptMs with LIMIT_SCRIPT_MS, /,
  );
  const bombs: readonly (readonly [string, RegExp])[] = [
    ["($f := function($x) { $f($x) + 1 }; $f(1))", /nests at most 400 deep/],
    ["$count([1..100000000])", /makes lists of at most 125000 elements: raise the limit messageBodyBytes with /],
    ['$pad("x", 1000000000)', /builds values of at most 1000000 bytes: raise the limit messageBodyBytes with /],
    ['$reduce([1..60], function($x, $i) { $x & $x }, "x")', /builds/],
  ];
  for (const [text, reason] of bombs) {
    const document = { mappings: { "/a/b": text }, onError: "collect" };
    const failure = await failureOf(document, {}, { limits: long });
    assert.match(failure, /^LimitExceededException: mapping 'm' rule r1 -> \/a\/b: /, text);
    assert.match(failure, reason, text);
  }
  const own = { mappings: { a: "[1..2000]" }, limits: { timeoutMs: 9999, maxDepth: 10, maxSequence: 100 } };
  assert.match(
    await failureOf(own, {}),
    /makes lists of at most 100 elements: raise 'maxSequence' in the mapping's limits$/,
  );
  const deep = "($f := function($x) { $x = 0 ? 0 : 1 + $f($x - 1) }; $f(5))";
  assert.match(await failureOf({ ...own, mappings: { a: deep } }, {}), /nests at most 10 deep/);
  assert.match(
    await failureOf({ mappings: { a: endless }, limits: { timeoutMs: 20 } }, {}),
    /runs for at most 20 ms: raise 'timeoutMs' in the mapping's limits$/,
  );
  // Closures look at the clock, too.
  const cubic = "$count(l[$count($$.l[$count($$.l[$ != 'x']) > 0]) > 0])";
  const big = { l: Array.from({ length: 3000 }, (_, i) => i) };
  assert.match(await failureOf({ mappings: { a: cubic } }, big, { limits }), /runs for at most 200 ms/);
  const lists = { rules: [{ target: "/a", forEach: "l", expr: "$root.o.x" }] };
  const objects = { l: big.l, o: big.l.map((x) => ({ x })) };
  assert.match(await failureOf(lists, objects, { limits: long }), /builds at most 16000000 bytes in all/);
  const many = { rules: [{ target: "/a", forEach: "l", expr: "$" }], limits: { maxSequence: 2 } };
  assert.match(await failureOf(many, { l: [1, 2, 3] }), /at most 2 items of a forEach: raise 'maxSequence' in/);
  const doubling = { mappings: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/v${i}`, "text & text"])) };
  assert.match(
    await failureOf(doubling, { text: "x".repeat(450_000) }, { limits: long }),
    /builds at most 16000000 bytes in all/,
  );
});

test("a document that is not understood fails when it is used, and says why", async () => {
  assert.match(
    await failureOf({ steps: [] }, {}),
    /^MessageMappingException: mapping 'm': its document was not understood, so there are no rules: it has none of rules/,
  );
});

test("a mapping that is not installed is a failure of the step", async () => {
  const { error } = await outcomeOf({ rules: [] }, {}, { step: "messageMapping: other" });
  assert.ok(error instanceof FlowException);
  assert.equal(error.type, "MessageMappingNotFoundException");
  for (const step of ['messageMapping: "${body}"', "messageMapping: a/b", 'to: "mapping:a b"']) {
    await assert.rejects(outcomeOf({ rules: [] }, {}, { step }), /id/, step);
  }
});
