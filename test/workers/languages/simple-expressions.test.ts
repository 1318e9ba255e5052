/** The simple language in the place of an expression: templates, functions, paths (camel.md, cases 28-68). */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { anExchange, type ExchangeParts } from "../../support/exchange.ts";
import { evaluate } from "./evaluate.ts";

type Case = readonly [text: string, parts: ExchangeParts, expected: unknown];

const json = (text: string) => new JsonText(text, JSON.parse(text));
const order = json('{"orderNo": "17", "items":[{"sku":"A","qty":2},{"sku":"B","qty":3}], "tag.x": 1, "size": "XL"}');
const birthday = new Date(1974, 3, 20, 8, 55, 47, 123);

const cases: Readonly<Record<string, readonly Case[]>> = {
  "templates and raw values": [
    ["", {}, ""],
    [" ", {}, " "],
    ["plain text", {}, "plain text"],
    ["hey ${in.header.foo}-${header.foo}!", { headers: { foo: "abc" } }, "hey abc-abc!"],
    ["${body}", { body: 123 }, 123],
    ["$simple{in.header.foo}", { headers: { foo: "abc" } }, "abc"],
    ["a ${body} b ${header.x} c", { body: "B", headers: { x: null } }, "a B b  c"],
    ["${body}${body}", { body: 1 }, "11"],
    ["order ${body[orderNo]} ok", { body: order }, "order 17 ok"],
    ["<${body}>", { body: json('{ "a" : 1 }') }, '<{ "a" : 1 }>'],
    ["<${body}>", { body: { a: [1, "x", null], b: {} } }, "<{a=[1, x, null], b={}}>"],
    ["<${headers}>", { headers: { a: [1, 2], B: "x" } }, "<{a=[1, 2], B=x}>"],
    ["\\${body}", { body: 1 }, "\\1"],
    ["<${body}>", { body: new TextEncoder().encode("bytes") }, "<bytes>"],
    ["a\\tb\\n\\}c\\d", {}, "a\tb\n}c\\d"],
    ["{not} a $function } {", {}, "{not} a $function } {"],
    ["${header.bar} > 5", { headers: { bar: 7 } }, "7 > 5"],
    ["Logging ++ start ++", {}, "Logging ++ start ++"],
    ["Move A~>B", {}, "Move A~>B"],
    ["Is ${body} good ? yes or no : tell", { body: "x" }, "Is x good ? yes or no : tell"],
    ["${null}", {}, null],
    ["${int:header.age}", { headers: { age: "42" } }, 42],
  ],
  "headers, properties, variables": [
    ["${header.FOO}", { headers: { foo: 1 } }, 1],
    ["${header[foo]}${header:foo}${headers.foo}${headers[foo]}${headers:foo}", { headers: { foo: 1 } }, "11111"],
    ["${header['my key']}", { headers: { "my key": "v" } }, "v"],
    ["${header.'my key'}", { headers: { "my key": "v" } }, "v"],
    ["${header.kafka.TOPIC}", { headers: { "kafka.TOPIC": "t" } }, "t"],
    ["${header.${header.which}}", { headers: { which: "foo", foo: "abc" } }, "abc"],
    ["${header.nope}", {}, null],
    ["${header.nope.trim()}", {}, null],
    ["${headers.size}", { headers: { a: 1, b: 2 } }, 2],
    ["${headers}", { headers: { a: 1, B: "2" } }, { a: 1, B: "2" }],
    ["${exchangeProperty.a}-${exchangeProperty[a]}", { properties: { a: 1 } }, "1-1"],
    ["${exchangeProperty.A}", { properties: { a: 1 } }, null],
    ["${variable.v.x}", { variables: { v: { x: 5 } } }, 5],
    ["${variables.size}", { variables: { v: 1 } }, 1],
    ["${headerAs(n,int)}", { headers: { n: "7" } }, 7],
    ["${variableAs(n,String)}", { variables: { n: 7 } }, "7"],
  ],
  "paths into values": [
    ["${in.body[0][cool]}", { body: [{ cool: "Camel rocks" }] }, "Camel rocks"],
    ["${body[items][last][sku]} ${body[items][last-1].sku}", { body: order }, "B A"],
    ["${body.items[1].qty}", { body: order }, 3],
    ["${body.size}", { body: order }, 4],
    ["${body[size]}", { body: order }, "XL"],
    ["${body[tag.x]}", { body: order }, 1],
    ["${body[items][${header.i}].sku}", { body: order, headers: { i: 1 } }, "B"],
    ["${exchangeProperty.wicket[unknown]}", { properties: { wicket: { a: 1 } } }, null],
    ["${exchangeProperty.unknown[cool]}", {}, null],
    ["${exchangeProperty.wicket[this.code]}", { properties: { wicket: { "this.code": "x" } } }, "x"],
    ["${in.body?.get('list')[0].toString}", { body: { list: [] } }, null],
    ["${body?.address?.street}", { body: {} }, null],
    ["${body[foo]?.name}", { body: {} }, null],
    ["${body.constructor}", { body: {} }, null],
    ["${body.__proto__}", { body: {} }, null],
    ["${body[__proto__]}${body[constructor]}", { body: {} }, ""],
    ["${body.getName()}", { body: { name: "n" } }, "n"],
    ["${body.class.name}", { body: "x" }, "java.lang.String"],
    ["${body.containsKey('items')}", { body: order }, true],
    ["${body.keySet}", { body: { a: 1, b: 2 } }, ["a", "b"]],
    ["${body.items.size()}", { body: order }, 2],
    ["${body.contains('orderNo')}", { body: order }, true],
    ["${body.toUpperCase()}", { body: "abc" }, "ABC"],
    ["${bodyAs(String).toUpperCase()}", { body: new TextEncoder().encode("abc") }, "ABC"],
    ["${body.substring(1, 3)}", { body: "abcd" }, "bc"],
    ['${body.replace("\'", "")}', { body: "a'b'c" }, "abc"],
    ["${body.replaceAll('[0-9]+', '<$0>')}", { body: "a12b3" }, "a<12>b<3>"],
    ["${body.replaceAll('a{2\\}', 'x')}", { body: "aab" }, "xb"],
    ["${body.split(',')[1]}", { body: "a,b,c" }, "b"],
    ["${body.split(',', 2)[1]} ${body.split(',', -1).size()}", { body: "a,b,," }, "b,, 4"],
    ["${body.indexOf('c')}", { body: "abc" }, 2],
    ["${header.beer.trim()}", { headers: { beer: "  gold " } }, "gold"],
    ["${exchange.message.body}", { body: "m" }, "m"],
    ["${exchange.getMessage().getHeader('a')}", { headers: { a: 1 } }, 1],
  ],
  operators: [
    ["${header.bar}++", { headers: { bar: 123 } }, 124],
    ["${header.bar}-- left", { headers: { bar: "3" } }, "2 left"],
    ["${header.bar}++", { headers: { bar: "3" } }, "4"],
    ["${body} ?: 'none'", { body: [] }, "none"],
    ["${body} ?: 'none'", { body: {} }, "none"],
    ["${header.username} ?: 'Guest'", {}, "Guest"],
    ["${header.username} ?: 'Guest'", { headers: { username: "" } }, "Guest"],
    ["${header.username} ?: 'Guest'", { headers: { username: 0 } }, "Guest"],
    ["${header.username} ?: 'Guest'", { headers: { username: false } }, "Guest"],
    ["Hi ${header.username} ?: ${header.nick}!", { headers: { nick: "Jo" } }, "Hi Jo!"],
    ["${header.foo > 0 ? 'positive' : 'negative'}", { headers: { foo: 5 } }, "positive"],
    ["${header.foo} > 0 ? 'positive' : 'negative'", { headers: { foo: -5 } }, "negative"],
    ["${header.s >= 90 ? 'A' : ${header.s} >= 80 ? 'B' : 'C'}", { headers: { s: 85 } }, "B"],
    ["grade ${header.s >= 90 ? 'A' : 'B'}!", { headers: { s: 95 } }, "grade A!"],
    ["${header.nick ?: 'none'}", {}, "none"],
    ["${body == 'a > b'}", { body: "a > b" }, true],
    ["${substringAfter('Hello')} ~> ${trim()} ~> ${uppercase()}", { body: "Hello World" }, "WORLD"],
    ["${header.x} ?~> ${concat('a', $param)}", {}, null],
    ["${header.x} ~> ${concat('a', $param)}", { headers: { x: "b" } }, "ab"],
  ],
  text: [
    ["${replace(World,Camel)}", { body: "Hello World" }, "Hello Camel"],
    ["${replace( ,-,${header.msg})}", { headers: { msg: "foo bar" } }, "foo-bar"],
    ["${replace(&quot;,&apos;)}", { body: '{"a"}' }, "{'a'}"],
    ["${replace(l,&empty;)}", { body: "hello" }, "heo"],
    ["${substring(6)}", { body: "Hello World" }, "World"],
    ["${substring(0,6)}", { body: "Hello World" }, "Hello"],
    ["${substring(6,5)}", { body: "Hello World" }, ""],
    ["${substring(6,0,'Hello World')}", {}, "World"],
    ["${substringBefore(World)}", { body: "Hello World" }, "Hello "],
    ["${substringAfter(Hello)}", { body: "Hello World" }, " World"],
    ["${substringBetween([,])}", { body: "[Hello World]" }, "Hello World"],
    ["${contains(World)}", { body: "Hello world" }, true],
    ["${contains(${header.g}, World)}", { headers: { g: "Hello World" } }, true],
    ["${trim()}", { body: "  hello  " }, "hello"],
    ["${val(${body})}", { body: 5 }, 5],
    ["${capitalize()}", { body: "hello world" }, "Hello World"],
    ["${pad(${body}, 5)}|", { body: "hi" }, "hi   |"],
    ["${pad(${body},-5,'*')}", { body: "hi" }, "***hi"],
    ["${concat(${body}, World, ' ')}", { body: "Hello" }, "Hello World"],
    ["${quote()}", { body: "hello" }, '"hello"'],
    ["${safeQuote()}", { body: "hello" }, '"hello"'],
    ["${safeQuote(${body})}", { body: 'a"b' }, '"a"b"'],
    ["${substring(-2)}", { body: "hello" }, "hel"],
    ["${contains(x)}", { body: null }, false],
    ["${contains(2)}", { body: [1, 2] }, true],
    ["${unquote()}", { body: "'hello'" }, "hello"],
    ["${uppercase()}${lowercase(ABC)}", { body: "x" }, "Xabc"],
    ["${length()}", { body: "Hello" }, 5],
    ["${size()}", { body: ["a", "b", "c"] }, 3],
    ["${normalizeWhitespace()}", { body: "  hello   world  " }, "hello world"],
    ["${normalizeWhitespace(${body})}", { body: "a\t\tb  c\n\nd" }, "a\tb c\nd"],
    ["${hash(${body},SHA3-224)}", { body: "x" }, "63e6ceb28ad474fa51c3d5dda2239adb5e58a1ae2600d18c6e116746"],
    ["${hash(${body})}", { body: "hello" }, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"],
    ["${base64Encode(${body})} ${base64Decode(aGk=)}", { body: "hi" }, "aGk= hi"],
    ["${bodyOneLine}", { body: "a\nb\nc" }, "abc"],
    ["${prettyBody}", { body: json('{"a":1}') }, '{\n\t"a": 1\n}\n'],
    ["${pretty(${header.j})}", { headers: { j: '{"a":[1]}' } }, '{\n\t"a": [\n\t\t1\n\t]\n}\n'],
    ["${toJson(${body})} ${toJson('x')} ${toJson(5)}", { body: [1, "x", null] }, '[1,"x",null] x 5'],
    ["${toPrettyJson(${body})}", { body: { a: 1 } }, '{\n\t"a": 1\n}\n'],
    ["${toJsonBody}", { body: { a: 1 } }, '{"a":1}'],
  ],
  numbers: [
    ["${abs(-7)}", {}, 7],
    ["${floor(3.7)} ${ceil(3.2)}", {}, "3 4"],
    ["${sum(1,2,3)} ${average(1,2,3)} ${min(3,1,2)} ${max(3,1,2)}", {}, "6 2 1 3"],
    ["${sum(${body})}", { body: [1, "2", 3.5, "x", "4.5"] }, 6],
    ["${average(1,2)} ${max(${body})} ${abs(${body[0]})}", { body: [1.9, 1.2] }, "1 1 1"],
    ["${sum(x)}", {}, null],
  ],
  collections: [
    ["${range(1,5)}", {}, [1, 2, 3, 4]],
    ["${range(3)}", {}, [1, 2]],
    ["${distinct()}", { body: ["a", "b", "a"] }, ["a", "b"]],
    ["${reverse()}", { body: ["a", "b", "c"] }, ["c", "b", "a"]],
    ["${sort()}", { body: ["b", "a", "c"] }, ["a", "b", "c"]],
    ["${sort(true)}", { body: [2, 10, 1] }, [10, 2, 1]],
    ["${list('a','b','c')}", {}, ["a", "b", "c"]],
    ["${map('k1','v1','k2','v2')}", {}, { k1: "v1", k2: "v2" }],
    ["${split(:)}", { body: "a:b:c" }, ["a", "b", "c"]],
    ["${split(${header.csv},-)}", { headers: { csv: "x-y-z" } }, ["x", "y", "z"]],
    ["${split(${body},',')}", { body: "a,b,,c,," }, ["a", "b", "", "c"]],
    ["${join('&','id=')}", { body: ["A", "B"] }, "id=A&id=B"],
    ["${skip(1)}", { body: [1, 2, 3] }, [2, 3]],
    ["${collate(2)}", { body: [1, 2, 3] }, [[1, 2], [3]]],
    ["${forEach(${body},${uppercase()})}", { body: ["a", "b"] }, ["A", "B"]],
    ["${filter(${body},${body} > 1)}", { body: [1, 2, 3] }, [2, 3]],
    ["${isEmpty(${body})} ${isEmpty(${header.x})}", { body: "" }, "true true"],
    ["${empty(List)}", {}, []],
    ["${range(5,1)}", {}, null],
    ["${sort()}", { body: ["10", "9", "1"] }, ["1", "10", "9"]],
    ["${join(-)}", { body: ["a", null, "b"] }, "a-b"],
    ["${forEach(${body},${body[key]}:${body[value]})}", { body: { a: 1, b: 2 } }, ["a:1", "b:2"]],
    ["${isEmpty()} ${size()}", { body: {} }, "true 0"],
    ["${listAdd(c)}", { body: "a" }, null],
    ["${mapAdd(k,v)}", { body: "a" }, null],
    ["${listRemove(1)}", { body: ["a", "b"] }, ["a"]],
  ],
  "choices and kinds": [
    ["${iif(${body} > 5, 'big', 'small')}", { body: 7 }, "big"],
    ["${iif(${body} == 'x,y', 'a,b', c)}", { body: "x,y" }, "a,b"],
    ["${not(${body})}", { body: "" }, true],
    ["${isNumeric(12)} ${isAlpha(ab1)} ${isAlphaNumeric(ab1)}", {}, "true false true"],
    ["${kindOfType(${body})} ${kindOfType(1)}", { body: [] }, "array string"],
    ["${kindOfType(${body})} ${kindOfType(${header.d})}", { body: {}, headers: { d: birthday } }, "array object"],
    ["${convertTo(java.lang.Integer)}", { body: "42" }, 42],
    ["${bodyType}", { body: 1.5 }, "java.lang.Double"],
  ],
  dates: [
    ["${date:header.birthday+24h:yyyyMMdd}", { headers: { birthday } }, "19740421"],
    ["${date:header.birthday - 10s:yyyy-MM-dd'T'HH:mm:ss:SSS}", { headers: { birthday } }, "1974-04-20T08:55:37:123"],
    [
      "${date-with-timezone:header.b:GMT+8:yyyy-MM-dd HH:mm:ss Z}",
      { headers: { b: Date.UTC(2024, 0, 31, 20) } },
      "2024-02-01 04:00:00 +0800",
    ],
    [
      "${date-with-timezone:header.b:Europe/Berlin:EEE, d MMM yyyy h:mm a XXX}",
      { headers: { b: Date.UTC(2024, 6, 1, 12, 5) } },
      "Mon, 1 Jul 2024 2:05 PM +02:00",
    ],
    [
      "${date-with-timezone:variable.d:UTC:''yy EEEE D 'o''clock'}",
      { variables: { d: "2024-03-01T00:00:00Z" } },
      "'24 Friday 61 o'clock",
    ],
    ["${date-with-timezone:header.b:UTC:YYYY-w}", { headers: { b: Date.UTC(2024, 11, 30) } }, "2025-1"],
    ["${date-with-timezone:header.b:UTC:${header.p}}", { headers: { b: 0, p: "yyyy" } }, "1970"],
    ["${date:header.birthday}", { headers: { birthday } }, birthday],
    ["${date:header.birthday:}", { headers: { birthday } }, birthday],
    ["${date-with-timezone:header.b:Europe/Berlin:z}", { headers: { b: Date.UTC(2024, 6, 1) } }, "CEST"],
  ],
};

for (const [group, list] of Object.entries(cases)) {
  describe(`simple: ${group}`, () => {
    for (const [text, parts, expected] of list) {
      it(`${JSON.stringify(text)} gives ${JSON.stringify(expected)}`, () => {
        const value = evaluate(text, anExchange(parts));
        if (typeof expected === "object" && expected !== null)
          assert.equal(JSON.stringify(value), JSON.stringify(expected));
        else assert.equal(value, expected);
      });
    }
  });
}

describe("simple: functions with effects", () => {
  it("setHeader and setVariable write and give null; a null removes", () => {
    const exchange = anExchange({ body: "hello", headers: { gone: 1 } });
    assert.equal(evaluate("${setHeader(myKey,${body})}", exchange), null);
    assert.equal(evaluate("x${setVariable(n,int,'5')}", exchange), "x");
    evaluate("${setHeader(gone,${null})}", exchange);
    assert.equal(exchange.message.headers.get("myKey"), "hello");
    assert.equal(exchange.variables.get("n"), 5);
    assert.equal(exchange.message.headers.has("gone"), false);
  });

  it("list and map functions change what they were read from, never the list that others hold", () => {
    const list = Object.freeze(["a", "b"]);
    const exchange = anExchange({ body: list, variables: { v: Object.freeze({ k: 1 }) } });
    assert.deepEqual(evaluate("${listAdd(c)}", exchange), ["a", "b", "c"]);
    assert.deepEqual(exchange.message.body, ["a", "b", "c"]);
    evaluate("${listRemove(b)}", exchange);
    assert.deepEqual(exchange.message.body, ["a", "c"]);
    evaluate("${mapAdd(${variable.v},__proto__,x)}", exchange);
    assert.deepEqual(Object.entries(exchange.variables.get("v") as object), [
      ["k", 1],
      ["__proto__", "x"],
    ]);
    evaluate("${mapRemove(${variable.v},k)}", exchange);
    assert.deepEqual(Object.keys(exchange.variables.get("v") as object), ["__proto__"]);
    assert.deepEqual(list, ["a", "b"]);
  });

  it("random stays below its bound", () => {
    const exchange = anExchange({ headers: { max: 10 } });
    for (let i = 0; i < 200; i++) {
      const number = evaluate("${random(1,${header.max})}", exchange);
      assert.ok(typeof number === "number" && number >= 1 && number < 10 && Number.isInteger(number));
    }
  });

  it("ids and times come from the exchange and the clock", () => {
    const exchange = anExchange();
    assert.equal(evaluate("${exchangeId}", exchange), exchange.id);
    assert.equal(evaluate("${routeId}/${fromRouteId}", exchange), "route1/route1");
    assert.equal(evaluate("${messageTimestamp}", exchange), exchange.created);
    assert.match(String(evaluate("${uuid(classic)}", exchange)), /^[0-9a-f-]{36}$/);
    assert.match(String(evaluate("${uuid}", exchange)), /^[0-9A-F]{15}-[0-9A-F]{16}$/);
    assert.match(String(evaluate("${date:now:yyyy-MM-dd'T'HH:mm:ss.SSS}", exchange)), /^\d{4}-\d\d-\d\dT[\d:.]{12}$/);
  });

  it("the exception that is being handled, else the one that was caught", () => {
    const exchange = anExchange();
    assert.equal(evaluate("${exception.message}", exchange), null);
    exchange.properties.set("CamelExceptionCaught", new FlowException("java.io.IOException", "caught"));
    assert.equal(evaluate("failed: ${exception.message}", exchange), "failed: caught");
    exchange.exception = new FlowException("java.lang.IllegalStateException", "now", {
      cause: new FlowException("java.io.IOException", "deep"),
    });
    assert.equal(evaluate("${exception.cause.message}", exchange), "deep");
    assert.equal(evaluate("${exception}", exchange), exchange.exception);
    assert.equal(
      evaluate("${exception.stackTrace}", exchange),
      "java.lang.IllegalStateException: now\nCaused by: java.io.IOException: deep",
    );
  });
});

const failures: readonly (readonly [text: string, parts: ExchangeParts, type: RegExp, message: RegExp])[] = [
  [
    "${exchangeProperty.wicket[2]}",
    { properties: { wicket: ["a", "b"] } },
    /RuntimeBeanExpression/,
    /^Failed to invoke method: \[2\] on java\.util\.ArrayList due to: java\.lang\.IndexOutOfBoundsException: Index: 2, Size: 2/,
  ],
  [
    "${exchangeProperty.foobar[bar]}",
    { properties: { foobar: "cba" } },
    /RuntimeBeanExpression/,
    /Key: bar not found in bean: cba of type: java\.lang\.String$/,
  ],
  [
    "${body[name]}",
    { body: '{"name": "Ada"}', headers: { "content-type": "application/x-www-form-urlencoded" } },
    /RuntimeBeanExpression/,
    /java\.lang\.String \(the message's Content-Type is application\/x-www-form-urlencoded, .* send it as application\/json/,
  ],
  [
    "${body[name]}",
    { body: '{"name": "Ada"}', headers: { "Content-Type": "application/json" } },
    /RuntimeBeanExpression/,
    /java\.lang\.String$/,
  ],
  ["${body.toUpperCase()}", { body: new Uint8Array(2) }, /RuntimeBeanExpression/, /toUpperCase/],
  ["${body.address.street}", { body: {} }, /RuntimeBeanExpression/, /null/],
  ["${mandatoryBodyAs(String)}", { body: null }, /CamelExecutionException/, /No body available/],
  [
    "${date:header.other:yyyyMMdd}",
    { headers: { other: [] } },
    /IllegalArgument/,
    /Cannot find Date\/long object at command: header.other/,
  ],
  ["${header.x}++", { headers: { x: "abc" } }, /TypeConversion/, /abc/],
  ["${throwException('boom')}", {}, /java.lang.IllegalArgumentException/, /^boom$/],
  ["${throwException('bad ${body}',java.io.IOException)}", { body: 1 }, /java.io.IOException/, /^bad 1$/],
  ["${assert(${body} > 5,'too small')}", { body: 1 }, /SimpleAssertionException/, /too small/],
  ["${random(5,1)}", {}, /IllegalArgument/, /bound/],
];

describe("simple: failures at run time", () => {
  for (const [text, parts, type, message] of failures) {
    it(`${text} fails with ${type.source}`, () => {
      assert.throws(
        () => evaluate(text, anExchange(parts)),
        (error) => error instanceof FlowException && type.test(error.type) && message.test(error.message),
      );
    });
  }
});
