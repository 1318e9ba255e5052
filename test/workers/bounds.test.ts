/**
 * Every way in which a flow could build an array, a text or a loop without end: the run is over, and what ended it is said. Limits
 * are low here, so that what has none would stand out: it would take the process's memory, or never end.
 */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import type { Limits } from "../../src/shared/limits.ts";
import { encodeAnswer, exchangeJson } from "../../src/workers/bodies.ts";
import { exceptionMessage, exceptionType, FlowException } from "../../src/workers/engine/exception.ts";
import { routeOf, runRoute } from "../support/run-route.ts";

const low: Partial<Limits> = {
  messageBodyBytes: 65_536,
  variableCount: 100,
  variableBytes: 262_144,
  aggregateBytes: 262_144,
  loopIterations: 3000,
  splitItems: 1000,
  stepsPerRun: 5000,
  scriptMs: 20_000,
};

interface Way {
  /** YAML of a list of steps; or a flow. */
  readonly steps?: string;
  readonly flow?: string;
  readonly body?: unknown;
  readonly limits?: Partial<Limits>;
  /** What the run fails with, `LimitExceededException: text built` in part; undefined: it ends well. */
  readonly ends: RegExp | undefined;
}

const big = "x".repeat(60_000);
const parts = "a,".repeat(3000);
const elements = `\${range(8000)}`;
const times = (count: number, steps: string): string => `- loop: { constant: "${count}", steps: [${steps}] }`;
const route = (steps: string): string => `- route: { id: main, from: { uri: direct:start, steps: [${steps}] } }`;
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const strategy = (name: string): string => `"#class:org.apache.camel.processor.aggregate.${name}AggregationStrategy"`;
const turn = `\${exchangeProperty.CamelLoopIndex}`;
/** A bound that comes from a limit: the message says which one, and how it is raised. */
const limit = (what: string): RegExp =>
  new RegExp(
    `LimitExceededException: .*${what}.*: raise the limit (?<limit>\\w+) with LIMIT_\\w+, for this flow alone with '\\k<limit>' in its limits$`,
  );
/** A bound that nobody can change. */
const fixed = (what: string): RegExp => new RegExp(`LimitExceededException: .*${what}`);
const fixedInLanguages: ReadonlySet<string> = new Set([
  "nests too deep",
  "deep",
  "bytes",
  "stack",
  "(builds|written|nests)",
]);

const deepSteps = [
  "marshal: { json: {} }",
  "marshal: { json: { prettyPrint: true } }",
  "marshal: { json: { include: NON_EMPTY } }",
  "marshal: { json: { enableFeatures: ORDER_MAP_ENTRIES_BY_KEYS } }",
  "marshal: { yaml: {} }",
  "marshal: { jacksonXml: {} }",
  "marshal: { csv: {} }",
  `log: "\${body}"`,
  `convertBodyTo: { type: String }`,
  `setBody: { simple: "\${toJson(\${body})}" }`,
  `setBody: { simple: "\${pretty(\${body})}" }`,
  `filter: { simple: "\${body} == \${body}", steps: [{ log: "\${body}" }] }`,
  `filter: { simple: "\${body} > \${body}", steps: [{ log: "\${body}" }] }`,
  `setBody: { simple: "\${sort(\${list(\${body},\${body})},false)}x" }`,
  `setVariable: { name: v, simple: "\${body}x" }`,
  `setHeader: { name: h, simple: "\${body}" }`,
  `setBody: { jq: "tojson" }`,
  `setBody: { jq: "flatten" }`,
  `setBody: { jq: "walk(.)" }`,
  `setBody: { jq: "[paths]" }`,
  `setBody: { jq: ". == ." }`,
  `setBody: { jsonata: "$string($)" }`,
  `setBody: { jsonata: "**" }`,
  `setBody: { jsonata: "$distinct($)" }`,
  `setBody: { js: "body" }`,
  `setBody: { jsonpath: "$..a" }`,
];

const ways: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  "what a message keeps": {
    "a body that doubles": {
      steps: times(100, `{ setBody: { simple: "\${body}\${body}" } }`),
      body: "x",
      ends: limit("a text built by an expression"),
    },
    "a header that doubles": {
      steps: times(100, `{ setHeader: { name: h, simple: "\${header.h}x\${header.h}" } }`),
      ends: limit("(headers have at most|a text built)"),
    },
    "ever new headers": {
      steps: times(1000, `{ setHeader: { name: "h${turn}", constant: x } }`),
      ends: limit("at most 200 headers"),
    },
    "headers that are lists": {
      steps: times(100, `{ setHeader: { name: "h${turn}", simple: "${elements}" } }`),
      ends: limit("headers have at most"),
    },
    "a variable that doubles": {
      steps: times(100, `{ setVariable: { name: v, simple: "\${variable.v}x\${variable.v}" } }`),
      ends: limit("a text built by an expression"),
    },
    "ever new variables": {
      steps: times(1000, `{ setVariable: { name: "v${turn}", constant: x } }`),
      ends: limit("at most 100 variables"),
    },
    "ever new variables of a script": {
      steps: `- script: { js: "for (let i = 0; i < 1000; i++) exchange.setVariable('v' + i, 1)" }`,
      ends: limit("at most 100 variables"),
    },
    "ever new variables of a function": {
      steps: times(1000, `{ setBody: { simple: "\${setVariable(v${turn},1)}" } }`),
      ends: limit("at most 100 variables"),
    },
    "variables of long texts": {
      steps: times(50, `{ setVariable: { name: "v${turn}", simple: "\${body}${turn}" } }`),
      body: big,
      ends: limit("variables of a message have at most 262144 bytes"),
    },
    "variables of lists": {
      steps: times(50, `{ setVariable: { name: "v${turn}", simple: "${elements}" } }`),
      ends: limit("variables of a message have at most 262144 bytes"),
    },
    "ever new properties": {
      steps: times(1000, `{ setProperty: { name: "p${turn}", constant: x } }`),
      ends: limit("at most 100 properties"),
    },
    "properties of lists": {
      steps: times(50, `{ setProperty: { name: "p${turn}", simple: "${elements}" } }`),
      ends: limit("properties of a message have at most 262144 bytes"),
    },
    "a list that grows by long texts": {
      steps: `- setVariable: { name: l, simple: "\${list()}" }\n${times(1000, `{ setBody: { simple: "\${listAdd(\${variable.l},\${uuid}${"y".repeat(5000)})}" } }`)}`,
      ends: limit("a value built by an expression"),
    },
    "a map that grows by long texts": {
      steps: `- setVariable: { name: m, simple: "\${map()}" }\n${times(1000, `{ setBody: { simple: "\${mapAdd(\${variable.m},k${turn},${"y".repeat(5000)})}" } }`)}`,
      ends: limit("a value built by an expression"),
    },
    "messages put aside and never fetched": {
      steps: times(2000, "{ claimCheck: { operation: Push } }"),
      ends: fixed("a claim check keeps at most 1000 messages"),
    },
    "large messages put aside": {
      steps: times(50, `{ setBody: { simple: "${elements}" } }, { claimCheck: { operation: Set, key: "k${turn}" } }`),
      ends: limit("a claim check keeps at most 262144 bytes"),
    },
    "a body whose letters take more than a byte": {
      steps: `- setBody: { simple: "\${body}" }`,
      body: "\u00e9".repeat(40_000),
      ends: limit("body has at most 65536 bytes"),
    },
    "a header whose letters take more than a byte": {
      steps: `- setHeader: { name: h, simple: "\${body}" }`,
      body: "\u4e2d".repeat(25_000),
      ends: limit("headers have at most 65536 bytes"),
    },
    "variables whose letters take more than a byte": {
      steps: times(5, `{ setVariable: { name: "v${turn}", simple: "\${body}" } }`),
      body: "\u4e2d".repeat(20_000),
      ends: limit("variables of a message have at most 262144 bytes"),
    },
    "an exception's message that doubles": {
      steps: times(
        100,
        `{ doTry: { steps: [{ throwException: { exceptionType: java.lang.Exception, message: "\${header.m}x\${header.m}" } }], doCatch: [{ exception: [java.lang.Exception], steps: [{ setHeader: { name: m, simple: "\${exception.message}" } }] }] } }`,
      ),
      // The failure of the expression is caught, too.
      ends: undefined,
    },
  },

  "loops and parts": {
    "a loop of a large number": { steps: `- loop: { constant: "1000000000", steps: [] }`, ends: limit("3000 turns") },
    "doWhile for ever": {
      steps: `- loop: { doWhile: true, simple: "\${body} == 'x'", steps: [] }`,
      body: "x",
      ends: limit("3000 turns"),
    },
    "loops in loops": {
      steps: times(1000, times(1000, times(1000, "{ removeHeader: a }").slice(2)).slice(2)),
      ends: limit("executes at most 5000 steps"),
    },
    "splits in splits": {
      steps: `- split: { constant: "${parts}", steps: [{ split: { constant: "${parts}", steps: [{ removeHeader: a }] } }] }`,
      ends: limit("(executes at most 5000 steps|a split has at most 1000 parts)"),
    },
    "many parts of a text": {
      steps: `- split: { simple: "\${body}", steps: [] }`,
      body: parts,
      ends: limit("a split has at most 1000 parts"),
    },
    "many parts of a lazy list": {
      steps: `- split: { tokenize: ",", steps: [] }`,
      body: parts,
      ends: limit("a split has at most 1000 parts"),
    },
    "many parts at the same time": {
      steps: `- split: { tokenize: ",", parallelProcessing: true, streaming: true, steps: [] }`,
      body: parts,
      ends: limit("a split has at most 1000 parts"),
    },
    "many groups of parts": {
      steps: `- split: { simple: "\${body}", group: 2, steps: [] }`,
      body: parts,
      ends: limit("a split has at most 1000 parts"),
    },
    "empty parts": {
      steps: `- split: { tokenize: ",", steps: [] }`,
      body: ",".repeat(3000),
      ends: limit("1000 parts"),
    },
    "parts of no width": {
      steps: `- split: { tokenize: "x*?", steps: [] }`,
      body: big,
      ends: limit("a split has at most 1000 parts"),
    },
    "one part with many delimiters in it": {
      steps: `- split: { tokenize: { token: ",", group: "100000000", groupDelimiter: "${"z".repeat(5000)}" }, steps: [] }`,
      body: parts,
      ends: limit("a group of parts has at most 65536 characters"),
    },
    "parts that are grouped, each larger than before": {
      steps: `- split: { tokenize: ",", aggregationStrategy: ${strategy("GroupedBody")}, steps: [{ setBody: { simple: "${elements}" } }] }`,
      body: "a,b,c",
      ends: limit("aggregated to at most 65536 bytes"),
    },
    "exchanges that are grouped": {
      steps: `- split: { tokenize: ",", aggregationStrategy: ${strategy("GroupedExchange")}, steps: [{ setBody: { simple: "${elements}" } }] }`,
      body: "a,b,c",
      ends: limit("aggregated to at most 65536 bytes"),
    },
    "parts that become one text": {
      steps: `- split: { tokenize: ",", aggregationStrategy: ${strategy("String")}, steps: [{ setBody: { simple: "${elements}" } }] }`,
      body: "a,b,c",
      ends: limit("aggregated to at most 65536 bytes"),
    },
    "many recipients": {
      steps: `- recipientList: { simple: "\${body}" }`,
      body: "mock:a,".repeat(3000),
      ends: limit("1000 recipients"),
    },
    "a router that never ends": { steps: `- dynamicRouter: { constant: "mock:a" }`, ends: limit("3000 endpoints") },
    "a slip of many endpoints": {
      steps: `- routingSlip: { simple: "\${body}" }`,
      body: "mock:a,".repeat(8000),
      ends: limit("3000 endpoints"),
    },
    "a list of parts that is counted": {
      steps: `- setBody: { tokenize: "," }\n- setBody: { simple: "\${body.size}" }`,
      body: ",a".repeat(30_000),
      ends: limit("walk it with split"),
    },
    "a list that is sorted": {
      steps: `- sort: { tokenize: "," }`,
      body: ",a".repeat(30_000),
      ends: limit("walk it with split"),
    },
  },

  "routes that call themselves": {
    "by direct": { flow: route("{ to: direct:start }"), ends: limit("nest at most 64 deep") },
    "by toD": { flow: route(`{ toD: "direct:\${exchangeProperty.x}start" }`), ends: limit("nest at most 64 deep") },
    "by enrich": { flow: route(`{ enrich: { constant: "direct:start" } }`), ends: limit("nest at most 64 deep") },
    "by an interceptor": {
      flow: `- interceptSendToEndpoint: { uri: "mock:a", steps: [{ to: direct:start }] }\n${route("{ to: mock:a }")}`,
      ends: limit("nest at most 64 deep"),
    },
    "twice each time": {
      flow: route("{ multicast: { steps: [{ to: direct:start }, { to: direct:start }] } }"),
      ends: limit("(executes at most 5000 steps|nest at most 64 deep)"),
    },
    "twice each time, at the same time": {
      flow: route("{ multicast: { parallelProcessing: true, steps: [{ to: direct:start }, { to: direct:start }] } }"),
      ends: limit("(executes at most 5000 steps|nest at most 64 deep)"),
    },
    "twice each time, at the same time and with a time-out": {
      flow: route(
        "{ multicast: { parallelProcessing: true, timeout: 100000, steps: [{ to: direct:start }, { to: direct:start }] } }",
      ),
      ends: limit("(executes at most 5000 steps|nest at most 64 deep)"),
    },
    "with many parts at the same time": {
      flow: route(
        `{ split: { constant: "${"a,".repeat(100)}", parallelProcessing: true, steps: [{ to: direct:start }] } }`,
      ),
      ends: limit("(executes at most 5000 steps|nest at most 64 deep)"),
    },
    "by a breaker with a time-out": {
      flow: route(
        `{ circuitBreaker: { resilience4jConfiguration: { timeoutEnabled: true, timeoutDuration: "100000" }, steps: [{ to: direct:start }] } }`,
      ),
      ends: limit("nest at most 64 deep"),
    },
    "by a dead letter channel": {
      flow: `- errorHandler: { deadLetterChannel: { deadLetterUri: direct:start } }\n${route("{ throwException: { exceptionType: a, message: a } }")}`,
      ends: /^a: a$/,
    },
    "by wireTap": { flow: route("{ wireTap: { uri: direct:start } }"), ends: undefined },
    "by seda": {
      flow: `${route("{ to: seda:a }")}\n- route: { id: a, from: { uri: seda:a, steps: [{ to: seda:a }] } }`,
      ends: undefined,
    },
    "by onCompletion": {
      flow: `- onCompletion: { steps: [{ to: direct:start }] }\n${route("{ log: a }")}`,
      ends: undefined,
    },
  },

  "what is tried again": {
    "for ever": {
      flow: `- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: -1, redeliveryDelay: 0 } } }\n${route("{ throwException: { exceptionType: a, message: a } }")}`,
      ends: limit("executes at most 5000 steps"),
    },
    "while a predicate is true": {
      flow: `- onException: { exception: [java.lang.Exception], retryWhile: { constant: "true" }, redeliveryPolicy: { redeliveryDelay: 0 } }\n${route("{ throwException: { exceptionType: java.lang.Exception, message: a } }")}`,
      ends: limit("executes at most 5000 steps"),
    },
    "although the run has executed all its steps": {
      flow: `- onException: { exception: [java.lang.Throwable], handled: { constant: "true" } }\n${route(
        times(3000, "{ removeHeader: a }, { removeHeader: a }").slice(2),
      )}`,
      ends: limit("executes at most 5000 steps"),
    },
    "in a loop that catches": {
      steps: times(
        3000,
        `{ doTry: { steps: [{ removeHeader: a }, { removeHeader: a }], doCatch: [{ exception: [java.lang.Throwable], steps: [] }] } }`,
      ),
      ends: limit("executes at most 5000 steps"),
    },
  },

  "what steps keep between messages": {
    "ever new groups": {
      steps: times(
        3000,
        `{ aggregate: { correlationExpression: { exchangeProperty: CamelLoopIndex }, aggregationStrategy: ${strategy("GroupedBody")}, completionSize: 2 } }`,
      ),
      limits: { aggregateGroups: 100 },
      ends: limit("100 groups"),
    },
    "a group without end": {
      steps: times(
        3000,
        `{ aggregate: { correlationExpression: { constant: a }, aggregationStrategy: ${strategy("UseLatest")}, completionSize: 200000 } }`,
      ),
      ends: limit("a group has at most 1000 messages"),
    },
    "a group of large messages": {
      steps: times(
        50,
        `{ setBody: { simple: "${elements}" } }, { aggregate: { correlationExpression: { constant: a }, aggregationStrategy: ${strategy("GroupedBody")}, completionSize: 200000 } }`,
      ),
      ends: /Error occurred during aggregation: messages are aggregated to at most 65536 bytes/,
    },
    "groups of large messages": {
      steps: times(
        50,
        `{ setBody: { simple: "${elements}" } }, { aggregate: { correlationExpression: { exchangeProperty: CamelLoopIndex }, aggregationStrategy: ${strategy("GroupedBody")}, completionSize: 2 } }`,
      ),
      ends: limit("groups of an aggregate have at most 262144 bytes"),
    },
    "ever new groups of a throttle": {
      steps: times(
        20_000,
        `{ throttle: { constant: "1", timePeriodMillis: 1d, correlationExpression: { exchangeProperty: CamelLoopIndex } } }`,
      ),
      limits: { loopIterations: 100_000, stepsPerRun: 100_000 },
      ends: fixed("a throttle has at most 10000 groups"),
    },
    "ever new keys": {
      steps: times(
        3000,
        `{ idempotentConsumer: { exchangeProperty: CamelLoopIndex, idempotentRepository: "#class:org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository", steps: [] } }`,
      ),
      ends: undefined,
    },
    "ever new endpoints": { steps: times(3000, `{ toD: "mock:m${turn}" }`), ends: undefined },
    "a long endpoint": { steps: `- toD: "mock:\${body}"`, body: big, ends: /ResolveEndpointFailed.*16384 characters/ },
  },

  "functions of simple": Object.fromEntries(
    [
      ["range(1000000000)", "a list built"],
      [`forEach(${elements},${elements})`, "a value built"],
      [`forEach(${elements},\${body}${turn}y)`, "a value built"],
      [`list(${Array(200).fill(elements).join()})`, "a value built"],
      [`map(${Array.from({ length: 200 }, (_, i) => `k${i},${elements}`).join()})`, "a value built"],
      [`reverse(${Array(20).fill(elements).join()})`, "a list built"],
      [`distinct(${Array(20).fill(elements).join()})`, "a list built"],
      ["body.repeat(1000000000)", "a text built"],
      ["pad(x,1000000000)", "a text built"],
      [`replace(x,${"y".repeat(1000)})`, "a text built"],
      [`body.replaceAll('x','${"y".repeat(1000)}')`, "a text has at most"],
      ["split('')", "a list built"],
      ["body.split('')", "a list built"],
      [`join(${"y".repeat(1000)},,${elements})`, "a text built"],
      ["concat(${body},${body})", "a text built"],
      ["quote(${concat(${body.substring(0,30000)},${body})})", "a text built"],
    ].map(([text, what]): [string, Way] => [
      `${text?.slice(0, 40)}`,
      { steps: `- setBody: { simple: "\${${text}}" }`, body: big, ends: limit(what ?? "") },
    ]),
  ),

  languages: Object.fromEntries(
    [
      ["jq", "[range(1e9)]", "builds values of at most"],
      ["jq", '\\"x\\" * 1e9', "builds values of at most"],
      ["jq", "def f: [., f]; f", "nests too deep"],
      ["jq", "[limit(60; recurse(. + .))]", "builds values of at most"],
      ["jq", "[range(1000) | [range(8000)]]", "in all"],
      ["jq", "reduce range(1e9) as $i ([]; . + [$i])", "builds"],
      ["jsonata", "[1..10000000]", "makes lists of at most"],
      ["jsonata", "[1..8000].[[1..8000]]", "in all"],
      ["jsonata", "$map([1..8000], function($i) { {'a': [1..8000]} })", "in all"],
      ["jsonata", "$map([1..8000], function($i) { $pad('a', 60000) })", "in all"],
      ["jsonata", "$map([1..8000], function($i) { $uppercase($pad('a', 60000)) })", "in all"],
      ["jsonata", "$map([1..8000], function($i) { $reverse([1..8000]) })", "in all"],
      ["jsonata", "$zip([1..8000], [1..8000], [1..8000])", "builds values of at most"],
      ["jsonata", "( $f := function($x) { [$x, $f($x)] }; $f(1) )", "deep"],
      ["jsonata", "( $f := function($x) { $f($x & $x) }; $f('a') )", "builds values of at most"],
      ["jsonata", "$pad('a', 1000000000)", "builds values of at most"],
      ["js", "const a = []; for (;;) a.push('xxxxxxxxxxxxxxxxx' + a.length)", "bytes"],
      ["js", "const a = []; for (;;) a.push(new Array(1000).fill(1))", "bytes"],
      ["js", "'x'.repeat(1000000)", "builds values of at most"],
      ["js", "Array.from({ length: 100000 }, (_, i) => i)", "builds values of at most"],
      ["js", "const f = () => f(); f()", "stack"],
      ["jsonpath", "$..*..*..*..*", "in all"],
      ["jq", "[range(1000)] as $a | [range(1000) | $a] as $b | [range(1000) | $b] | tojson", "(builds|written|nests)"],
      [
        "jsonpath",
        `$[${Array(99).fill("*").join()}][${Array(99).fill("*").join()}][${Array(99).fill("*").join()}]`,
        "in all",
      ],
    ].map(([language, text, what]): [string, Way] => [
      `${language}: ${text?.slice(0, 60)}`,
      {
        steps: `- setBody: { ${language}: "${text}" }`,
        body: `[[${"[1,2],".repeat(50)}1],${deep(150)}]`,
        ends: (fixedInLanguages.has(what ?? "") ? fixed : limit)(what ?? ""),
      },
    ]),
  ),

  "languages that ask the clock": Object.fromEntries(
    [
      ["jq", "last(repeat(1))"],
      ["js", "for (;;);"],
      ["jsonata", "( $f := function($x) { $f($x) }; $f(1) )"],
      ["jsonata", "[1..8000].$map([1..8000], $abs)"],
    ].map(([language, text]): [string, Way] => [
      `${language}: ${text}`,
      {
        steps: `- setBody: { ${language}: "${text}" }`,
        body: "1",
        limits: { scriptMs: 100 },
        ends: limit("(100 ms|in all)"),
      },
    ]),
  ),

  documents: {
    "gzip of zeros": {
      steps: "- unmarshal: { gzipDeflater: {} }",
      body: new Uint8Array(gzipSync(Buffer.alloc(10_000_000))),
      ends: limit("65536 bytes"),
    },
    "zip of zeros": {
      steps: "- unmarshal: { zipDeflater: {} }",
      body: new Uint8Array(deflateSync(Buffer.alloc(10_000_000))),
      ends: limit("65536 bytes"),
    },
    "base64 of base64": { steps: times(100, "{ marshal: { base64: {} } }"), body: "x", ends: limit("65536 bytes") },
    "base64 with long line ends": {
      steps: `- marshal: { base64: { lineLength: 4, lineSeparator: "${"|".repeat(50_000)}" } }`,
      body: big,
      ends: limit("65536 bytes"),
    },
    "attributes of one element": {
      steps: "- unmarshal: { jacksonXml: {} }",
      body: `<a><!-- = = > --><b${Array.from({ length: 1001 }, (_, n) => ` c${n}="1"`).join("")}/></a>`,
      ends: fixed("at most 1000 attributes"),
    },
    "aliases of YAML": {
      steps: "- unmarshal: { yaml: {} }",
      body: [..."abcdefghij"]
        .map((key, at, keys) => `${key}: &${key} [${Array(9).fill(at === 0 ? "x" : `*${keys[at - 1]}`)}]`)
        .join("\n"),
      ends: /aliases for non-scalar nodes exceeds the specified max/,
    },
    "entities of XML": {
      steps: "- unmarshal: { jacksonXml: {} }",
      body: `<!DOCTYPE a [<!ENTITY b "xx"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>`,
      ends: /Undeclared general entity "c"/,
    },
    "entities of XML in xpath": {
      steps: `- setBody: { xpath: "/a/text()" }`,
      body: `<!DOCTYPE a [<!ENTITY b "xx"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>`,
      ends: /DOCTYPE|DTD/,
    },
    "many tags": {
      steps: "- unmarshal: { jacksonXml: {} }",
      body: `<a>${"<b/>".repeat(15_000)}</a>`,
      ends: limit("8192 tags"),
    },
    "many tags in xpath": {
      steps: `- setBody: { xpath: "//*[count(//*[count(//*) > 1]) > 1]" }`,
      body: `<a>${"<b/>".repeat(10_000)}</a>`,
      ends: limit("tags"),
    },
    "a long text of xpath": {
      steps: `- setBody: { xpath: { expression: "concat(${Array(100).fill("/a").join()})", resultType: String } }`,
      body: `<a>${"x".repeat(10_000)}</a>`,
      ends: limit("builds values of at most"),
    },
    "many values of CSV": { steps: "- unmarshal: { csv: {} }", body: ",".repeat(60_000), ends: limit("16384 records") },
    "one record of many values, read as it comes": {
      steps: `- unmarshal: { csv: { lazyLoad: true } }\n- split: { simple: "\${body}", steps: [] }`,
      body: ",".repeat(60_000),
      ends: undefined,
    },
    "a long text in the log": { steps: `- log: "\${body}\${body}"`, body: big, ends: limit("a text built") },
    "a long name of a log": { steps: `- toD: "log:\${body}?showAll=true"`, body: "y".repeat(10_000), ends: undefined },
  },

  // As deep as JSON goes but no deeper, which some survive.
  ...Object.fromEntries(
    [1500, 5000, 20_000].map((levels) => [
      `values that nest ${levels} deep`,
      Object.fromEntries(
        deepSteps.map((step): [string, Way] => [
          step,
          {
            steps: `- unmarshal: { json: {} }\n- ${step}`,
            body: deep(levels),
            ends: levels < 20_000 ? /^$|LimitExceededException|Nesting Depth exceeded/ : fixed(""),
          },
        ]),
      ),
    ]),
  ),
};

for (const [topic, cases] of Object.entries(ways)) {
  describe(topic, { timeout: 120_000 }, () => {
    for (const [name, way] of Object.entries(cases)) test(name, () => ends(way));
  });
}

async function ends({ steps = "", flow, body, limits, ends }: Way): Promise<void> {
  const { error, announced, logs } = await runRoute(flow ?? routeOf(steps), { body, limits: { ...low, ...limits } });
  await announced.settled();
  const said = error === undefined ? "" : `${exceptionType(error)}: ${exceptionMessage(error)}`;
  assert.ok(error === undefined || error instanceof FlowException, said);
  if (ends === undefined) assert.equal(said, "");
  else assert.match(said, ends);
  assert.ok(announced.ended.length <= 64, `${announced.ended.length} runs`);
  assert.ok(logs.length < 6000, `${logs.length} lines`);
}

test("an answer in which the same list stands a million times is measured before it is written", async () => {
  const lists = "[range(1000)] as $a | [range(1000) | $a] as $b | [range(1000) | $b]";
  const { exchange, error } = await runRoute(routeOf(`- setBody: { jq: "${lists}" }`), { body: "1", limits: low });
  assert.equal(error, undefined);
  assert.throws(() => encodeAnswer(exchange), /at most 65536 bytes/);
  assert.equal(exchangeJson({ variables: { v: 1 } }, exchange.run.limits), '{"variables":{"v":1}}');
  const { body } = exchange.message;
  assert.throws(() => exchangeJson({ variables: { body } }, exchange.run.limits), /at most \d+ bytes/);
});

after(() => {
  const mostMiB = 1000;
  const { maxRSS } = process.resourceUsage();
  assert.ok(maxRSS < mostMiB * 1024, `the process took ${Math.round(maxRSS / 1024)} MiB`);
});
