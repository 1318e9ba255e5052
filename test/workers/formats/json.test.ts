/** The data format `json`; the expected texts are what Jackson 2.19 writes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { failureOf, marshalled, outcomeOf, refusalOf, unmarshalled } from "./translate.ts";

test("values are written as Jackson writes them, with a Content-Type", async () => {
  const { exchange } = await outcomeOf("- marshal: {json: {}}", { a: 1, b: null, c: [true, 1.5, "x"] });
  assert.equal(new TextDecoder().decode(exchange.message.body as Uint8Array), '{"a":1,"b":null,"c":[true,1.5,"x"]}');
  assert.equal(exchange.message.headers.get("Content-Type"), "application/json");
  assert.equal(await marshalled("json: {}", null), "null");
  assert.equal(await marshalled("json: {}", 'he"y'), '"he\\"y"');
  assert.equal(await marshalled("json: {}", new TextEncoder().encode("hey")), '"aGV5"');
  assert.equal(await marshalled("json: {}", [new Date(0), new Uint8Array([97, 98])]), '[0,"YWI="]');
});

test("contentTypeHeader false leaves the header alone", async () => {
  const { exchange } = await outcomeOf("- marshal: {json: {contentTypeHeader: false}}", 1);
  assert.equal(exchange.message.headers.has("Content-Type"), false);
});

test("a body that came as JSON is a document: it is written as it came", async () => {
  const document = new JsonText('{ "b": 2,  "a": 1 }', { b: 2, a: 1 });
  assert.equal(await marshalled("json: {}", document), '{ "b": 2,  "a": 1 }');
  assert.equal(await marshalled("json: {enableFeatures: ORDER_MAP_ENTRIES_BY_KEYS}", document), '{"a":1,"b":2}');
  assert.deepEqual(await unmarshalled("json: {}", document), { a: 1, b: 2 });
});

test("prettyPrint is Jackson's: a space before the colon, lists on one line", async () => {
  const body = { a: 1, b: [1, { c: 2 }, []], e: {}, f: [], n: null };
  const text = '{\n  "a" : 1,\n  "b" : [ 1, {\n    "c" : 2\n  }, [ ] ],\n  "e" : { },\n  "f" : [ ],\n  "n" : null\n}';
  assert.equal(await marshalled("json: {prettyPrint: true}", body), text);
  assert.equal(await marshalled("json: {enableFeatures: INDENT_OUTPUT}", body), text);
});

test("include leaves out entries of maps, never elements of lists", async () => {
  const body = { a: null, b: [null, "", { x: null }], c: "", d: [], e: {}, f: { g: null }, h: 0 };
  assert.equal(await marshalled("json: {include: NON_EMPTY}", body), '{"b":[null,"",{}],"h":0}');
  assert.equal(
    await marshalled("json: {include: NON_NULL}", body),
    '{"b":[null,"",{}],"c":"","d":[],"e":{},"f":{},"h":0}',
  );
});

test("characters above U+FFFF are two escapes unless combineUnicodeSurrogates is on", async () => {
  assert.equal(await marshalled("json: {}", "\u{1f600}\u00e4"), '"\\uD83D\\uDE00\u00e4"');
  assert.equal(await marshalled("json: {combineUnicodeSurrogates: true}", "\u{1f600}"), '"\u{1f600}"');
});

test("dates are milliseconds, or ISO 8601 when WRITE_DATES_AS_TIMESTAMPS is off", async () => {
  const off = "json: {disableFeatures: WRITE_DATES_AS_TIMESTAMPS}";
  assert.equal(await marshalled(off, new Date(1)), '"1970-01-01T00:00:00.001+00:00"');
  // A script can make one that is none.
  for (const format of ["json: {}", off]) assert.equal(await marshalled(format, new Date(Number.NaN)), "null");
});

test("a document becomes maps, lists and scalars; bytes and text are read alike", async () => {
  assert.deepEqual(await unmarshalled("json: {}", '{"a":[1,"x",null,{"b":true}]}'), { a: [1, "x", null, { b: true }] });
  assert.deepEqual(await unmarshalled("json: {}", new TextEncoder().encode('["\u00e4"]')), ["\u00e4"]);
  assert.equal(await unmarshalled("json: {}", '"x"'), "x");
  assert.equal(await unmarshalled("json: {}", "null"), null);
});

test("what is no document fails with Jackson's exceptions", async () => {
  const read = "- unmarshal: {json: {}}";
  const empty = "com.fasterxml.jackson.databind.exc.MismatchedInputException: No content to map due to end-of-input";
  assert.equal(await failureOf(read, "  "), empty);
  for (const text of ["{a:1}", "[1,]", "NaN", "01"]) {
    assert.match(await failureOf(read, text), /^com\.fasterxml\.jackson\.core\.JsonParseException: /);
  }
  const told = await failureOf(read, '{\n  "a": hunter2-hunter2}');
  assert.equal(told, "com.fasterxml.jackson.core.JsonParseException: the body is not JSON: see line 2, column 8");
  for (const [body, type] of [
    [null, "null"],
    [{}, "java.util.LinkedHashMap"],
    [12, "java.lang.Integer"],
  ] as const) {
    const message = `No type converter available to convert from type: ${type} to the required type: java.io.InputStream`;
    assert.equal(await failureOf(read, body), `org.apache.camel.NoTypeConversionAvailableException: ${message}`);
  }
});

test("unmarshalType and useList say what the document must be", async () => {
  const mismatch = /^com\.fasterxml\.jackson\.databind\.exc\.MismatchedInputException: Cannot deserialize/;
  assert.deepEqual(await unmarshalled("json: {unmarshalType: java.util.Map}", '{"a":1}'), { a: 1 });
  assert.match(await failureOf("- unmarshal: {json: {unmarshalType: java.util.HashMap}}", "[1]"), mismatch);
  assert.equal(await unmarshalled("json: {unmarshalType: String}", "12"), "12");
  assert.equal(await unmarshalled("json: {unmarshalType: java.lang.Integer}", '"12"'), 12);
  assert.match(await failureOf("- unmarshal: {json: {unmarshalType: Integer}}", '"x"'), mismatch);
  assert.deepEqual(await unmarshalled("json: {useList: true}", '[1,{"a":2}]'), [1, { a: 2 }]);
  assert.match(await failureOf("- unmarshal: {json: {useList: true}}", "{}"), mismatch);
  assert.match(await failureOf("- unmarshal: {json: {useList: true, unmarshalType: Map}}", "[1]"), mismatch);
  const single = "json: {useList: true, enableFeatures: ACCEPT_SINGLE_VALUE_AS_ARRAY}";
  assert.deepEqual(await unmarshalled(single, '{"a":1}'), [{ a: 1 }]);
});

test("maxStringLength bounds the strings of a document", async () => {
  const failure = await failureOf("- unmarshal: {json: {maxStringLength: 3}}", '{"a":["abcd"]}');
  const type = "com.fasterxml.jackson.core.exc.StreamConstraintsException";
  assert.equal(failure, `${type}: String value length (4) exceeds the maximum allowed (3)`);
  assert.equal(await unmarshalled("json: {maxStringLength: 4}", '"abcd"'), "abcd");
});

test("what is written is bounded as a body is", async () => {
  const limits = { messageBodyBytes: 100 };
  const failure = /^LimitExceededException: /;
  assert.match(await failureOf("- marshal: {json: {}}", ["x".repeat(99)], { limits }), failure);
  const shared = ["x".repeat(30)];
  assert.match(await failureOf("- marshal: {json: {}}", [shared, shared, shared, shared], { limits }), failure);
  const variable = "- marshal: {json: {}, variableReceive: v}";
  assert.match(await failureOf(variable, "\u00e4".repeat(80), { limits }), failure);
  const nested = { a: { b: { c: { d: { e: [1, 2, 3, 4] } } } } };
  assert.match(await failureOf("- marshal: {json: {prettyPrint: true}}", nested, { limits }), failure);
  assert.match(await failureOf("- marshal: {json: {}}", "\u{1f600}".repeat(20), { limits }), failure);
});

test("the library is Jackson, in text form too; others, which write otherwise, are refused", async () => {
  for (const library of ["Jackson", "jackson"]) {
    assert.equal(await marshalled(`json: ${library}`, { a: null, b: "<" }), '{"a":null,"b":"<"}');
  }
  for (const library of ["Gson", "Jsonb", "Fastjson"]) {
    assert.match(
      await refusalOf(`- marshal: {json: ${library}}`),
      /library is Jackson, the only one here: .*leave it out/,
    );
    assert.match(
      await refusalOf(`- unmarshal: {json: {library: ${library}}}`),
      /library is Jackson, the only one here/,
    );
    assert.match(
      await refusalOf(`- marshal: {${library.toLowerCase()}: {}}`),
      /otherwise than Jackson does: write 'json: {}'/,
    );
  }
  assert.match(
    await refusalOf("- marshal: {json: {useDefaultObjectMapper: false}}"),
    /there is one mapper: leave it out/,
  );
});

test("options without a meaning here are refused, unless they say what is so anyway", async () => {
  assert.match(
    await refusalOf("- marshal: {json: {objectMapper: mine}}"),
    /'objectMapper' of data format 'json' is refused/,
  );
  assert.match(
    await refusalOf("- unmarshal: {json: {allowJmsType: true}}"),
    /is refused: a header cannot name a class/,
  );
  assert.equal(await refusalOf("- unmarshal: {json: {allowJmsType: false, useDefaultObjectMapper: true}}"), "accepted");
  assert.match(
    await refusalOf("- unmarshal: {json: {unmarshalType: com.acme.Order}}"),
    /there are no Java classes here/,
  );
  assert.match(
    await refusalOf("- marshal: {json: {enableFeatures: WRITE_ENUMS_USING_INDEX}}"),
    /feature 'WRITE_ENUMS_USING_INDEX' is not here/,
  );
});
