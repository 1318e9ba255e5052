/** The data format `csv`; what is expected is what commons-csv 1.14 and camel-csv do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyList } from "../../../src/workers/engine/lazy-list.ts";
import { failureOf, marshalled, outcomeOf, refusalOf, unmarshalled } from "./translate.ts";

/** Options (YAML), text, records. */
const reading: readonly (readonly [options: string, text: string, records: unknown])[] = [
  [
    "",
    "a,b\r\n\r\n1,2\n\n3,4\r5,6",
    [
      ["a", "b"],
      ["1", "2"],
      ["3", "4"],
      ["5", "6"],
    ],
  ],
  ["format: RFC4180", "a,b\n\n1,2\n", [["a", "b"], [""], ["1", "2"]]],
  ["", "", []],
  ["", '"a" ,"b"\n', [["a", "b"]]],
  ["", ' "a", b \n', [[' "a"', " b "]]],
  ["", 'a"b,c\n', [['a"b', "c"]]],
  ["", '"a""b","c\nd"\n', [['a"b', "c\nd"]]],
  ["", "a,b,", [["a", "b", ""]]],
  ["", ",\n", [["", ""]]],
  ["escape: '\\'", "a\\,b,\\n\\t\\x\\\\,c\\\nd\n", [["a,b", "\n\t\\x\\", "c\nd"]]],
  ["escape: '\\'", '"a\\"b\\n",c\n', [['a"b\n', "c"]]],
  ["ignoreSurroundingSpaces: true", ' "a" , b ,  \n', [["a", "b", ""]]],
  ["trim: true", ' " a " , b \n', [['" a "', "b"]]],
  ["nullString: 'NULL'", 'NULL,"NULL",x\n', [[null, null, "x"]]],
  ["nullString: 'NULL', quoteMode: ALL_NON_NULL", 'NULL,"NULL",x\n', [[null, "NULL", "x"]]],
  [
    "commentMarker: '#'",
    "#c\na,b\n #d,e\nx,#y\n",
    [
      ["a", "b"],
      [" #d", "e"],
      ["x", "#y"],
    ],
  ],
  [
    "trailingDelimiter: true",
    "a,b,\nc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["quoteDisabled: true", '"a",b\n', [['"a"', "b"]]],
  ["format: MYSQL", "a\t\\N\tb\\tc\n", [["a", null, "b\tc"]]],
  ["format: EXCEL", '"a"b,"c', [["ab", "c"]]],
  ["delimiter: ';'", "a;b", [["a", "b"]]],
  ["useMaps: true", "a,b\n1,2\n3\n4,5,6\n", [{ a: "1", b: "2" }, { a: "3" }, { a: "4", b: "5" }]],
  ["useOrderedMaps: true", "a,a\n1,2\n", [{ a: "2" }]],
  [
    "useMaps: true, header: 'x,y'",
    "a,b\n1,2\n",
    [
      { x: "a", y: "b" },
      { x: "1", y: "2" },
    ],
  ],
  ["useMaps: true, header: [x, y], skipHeaderRecord: true", "a,b\n1,2\n", [{ x: "1", y: "2" }]],
  ["useMaps: true, header: 'x,y', headerDisabled: true", "a,b\n1,2\n", [{ a: "1", b: "2" }]],
  ["useMaps: true, ignoreHeaderCase: true", "A,a\n1,2\n", [{ A: "2" }]],
  ["useMaps: true, allowMissingColumnNames: true", "a,,\n1,2,3\n", [{ a: "1", "": "3" }]],
  ["skipHeaderRecord: true", "a,b\n1,2\n", [["1", "2"]]],
  ["captureHeaderRecord: true", "a,b\n1,2\n", [["1", "2"]]],
];

for (const [options, text, records] of reading) {
  test(`reads ${JSON.stringify(text)} with {${options}}`, async () => {
    assert.deepEqual(await unmarshalled(`csv: {${options}}`, text), records);
  });
}

test("names that objects have are columns like any other", async () => {
  const { exchange } = await outcomeOf("- unmarshal: {csv: {useMaps: true}}", "__proto__,constructor\n1,2\n");
  assert.equal(JSON.stringify(exchange.message.body), '[{"__proto__":"1","constructor":"2"}]');
});

test("captureHeaderRecord puts the names into a header", async () => {
  const { exchange } = await outcomeOf("- unmarshal: {csv: {useMaps: true, captureHeaderRecord: true}}", "a,b\r\n1,2");
  assert.deepEqual(exchange.message.headers.get("CamelCsvHeaderRecord"), ["a", "b"]);
});

test("lazyLoad gives records one by one, and reads no further than they are taken", async () => {
  const body = 'a,b\n1,2\n3,4\n"broken"x,y\n';
  const { exchange } = await outcomeOf("- unmarshal: {csv: {useMaps: true, lazyLoad: true}}", body);
  const list = exchange.message.body;
  assert.ok(list instanceof LazyList);
  const records = list[Symbol.iterator]();
  assert.equal(JSON.stringify([records.next().value, records.next().value]), '[{"a":"1","b":"2"},{"a":"3","b":"4"}]');
  assert.throws(() => records.next(), /Invalid character between encapsulated token and delimiter at line: 4/);
});

test("what is no CSV fails and says where", async () => {
  const read = "- unmarshal: {csv: {}}";
  const type = "java.io.UncheckedIOException: org.apache.commons.csv.CSVException";
  const garbage = "Invalid character between encapsulated token and delimiter at line: 1, position: 4";
  assert.equal(await failureOf(read, '"a"b,c\n'), `${type}: ${garbage}`);
  assert.match(await failureOf(read, 'x\n"a'), /\(startline 2\) EOF reached before encapsulated token finished$/);
  const named = await failureOf("- unmarshal: {csv: {useMaps: true}}", "a,\n1,2\n");
  assert.equal(named, "java.lang.IllegalArgumentException: A header name is missing in [a, ]");
  assert.match(
    await failureOf(read, null),
    /^org\.apache\.camel\.NoTypeConversionAvailableException: .* from type: null /,
  );
});

const records = [
  ["a", "b c", " d ", "", "e,f", 'g"h', "i\nj", null, 1, 2.5, true],
  ["", "x"],
  ["#c", "!d", "-1", "\\z", "z ", "NULL"],
  [],
];

const writing: readonly (readonly [options: string, text: string])[] = [
  ["", 'a,b c," d ",,"e,f","g""h","i\nj",,1,2.5,true\r\n"",x\r\n"#c","!d",-1,\\z,"z ",NULL\r\n\r\n'],
  [
    "quoteMode: ALL",
    '"a","b c"," d ","","e,f","g""h","i\nj",,"1","2.5","true"\r\n"","x"\r\n"#c","!d","-1","\\z","z ","NULL"\r\n\r\n',
  ],
  [
    "quoteMode: NON_NUMERIC",
    '"a","b c"," d ","","e,f","g""h","i\nj",,1,2.5,"true"\r\n"","x"\r\n"#c","!d","-1","\\z","z ","NULL"\r\n\r\n',
  ],
  ["quoteMode: NONE, escape: '\\'", 'a,b c, d ,,e\\,f,g"h,i\\nj,,1,2.5,true\r\n,x\r\n#c,!d,-1,\\\\z,z ,NULL\r\n\r\n'],
  ["escape: '\\'", 'a,b c," d ",,"e,f","g\\"h","i\nj",,1,2.5,true\r\n"",x\r\n"#c","!d",-1,"\\\\z","z ",NULL\r\n\r\n'],
  ["format: MYSQL", 'a\tb c\t d \t\te,f\tg"h\ti\\nj\t\\N\t1\t2.5\ttrue\n\tx\n#c\t!d\t-1\t\\\\z\tz \tNULL\n\n'],
  [
    "trim: true, trailingDelimiter: true, nullString: N, recordSeparator: '|'",
    'a,b c,d,,"e,f","g""h","i\nj",N,1,2.5,true,|"",x,|"#c","!d",-1,\\z,z,NULL,|,|',
  ],
  [
    "delimiter: ';', recordSeparatorDisabled: true",
    'a;b c;" d ";;e,f;"g""h";"i\nj";;1;2.5;true"";x"#c";"!d";-1;\\z;"z ";NULL',
  ],
];

for (const [options, text] of writing) {
  test(`writes with {${options}}`, async () => {
    assert.equal(await marshalled(`csv: {${options}}`, records), text);
  });
}

test("maps are written by their values, or by the columns of the header", async () => {
  const map = { a: 1, b: null, c: "x" };
  assert.equal(await marshalled("csv: {}", map), "1,,x\r\n");
  assert.equal(await marshalled("csv: {header: 'c,a,z'}", [map]), "c,a,z\r\nx,1,\r\n");
  assert.equal(await marshalled("csv: {header: 'c,a', skipHeaderRecord: true}", [map, ["y", 2]]), "x,1\r\ny,2\r\n");
  assert.equal(await marshalled("csv: {}", null), "");
  assert.equal(await marshalled("csv: {}", new LazyList(() => [[1], [2]].values(), 1000)), "1\r\n2\r\n");
});

test("a record that is neither a list nor a map cannot be written", async () => {
  const failure =
    "org.apache.camel.NoTypeConversionAvailableException: No type converter available to convert from type:";
  const write = "- marshal: {csv: {}}";
  assert.equal(await failureOf(write, [1, 2]), `${failure} java.lang.Integer to the required type: java.util.List`);
  assert.equal(await failureOf(write, "a,b"), `${failure} java.lang.String to the required type: java.util.List`);
});

test("a text of nothing but values and records is bounded by their number; lazily it is read", async () => {
  const limits = { messageBodyBytes: 1000 };
  for (const body of [",".repeat(600), "\n".repeat(600), "a\n".repeat(300)]) {
    const failure = await failureOf("- unmarshal: {csv: {format: RFC4180}}", body, { limits });
    assert.match(
      failure,
      /^LimitExceededException: .* read it with lazyLoad and split: raise the limit messageBodyBytes with LIMIT_MESSAGE_BODY_BYTES, /,
    );
    assert.equal(
      await failureOf("- unmarshal: {csv: {format: RFC4180, lazyLoad: true}}", body, { limits }),
      "no failure",
    );
  }
});

test("writing ends as soon as the text is longer than a body may be", async () => {
  let taken = 0;
  const body = new LazyList(function* () {
    for (; taken < 1000; taken++) yield ["x".repeat(30)];
  }, 100);
  const failure = await failureOf("- marshal: {csv: {}}", body, { limits: { messageBodyBytes: 100 } });
  assert.match(failure, /^LimitExceededException: /);
  assert.ok(taken < 10, `${taken} records were taken`);
});

test("options that contradict each other or that are no characters are refused", async () => {
  assert.match(
    await refusalOf("- unmarshal: {csv: {delimiter: ';;'}}"),
    /option 'delimiter' of data format 'csv': is one character/,
  );
  assert.match(await refusalOf("- unmarshal: {csv: {delimiter: '\"'}}"), /quote and delimiter cannot be the same/);
  assert.match(await refusalOf("- marshal: {csv: {quoteMode: NONE}}"), /quoteMode NONE needs an escape character/);
  assert.match(await refusalOf("- marshal: {csv: {recordConverterRef: mine}}"), /is refused/);
});
