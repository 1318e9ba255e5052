/** Functions of simple that reach for more than the message: parameters, other languages, the file's headers, the exception. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { catalog } from "../../../src/workers/catalog.ts";
import { check } from "../../../src/workers/check/check.ts";
import { compileFlow } from "../../../src/workers/compile/compile-flow.ts";
import { FlowException } from "../../../src/workers/engine/exception.ts";
import { defineLanguage } from "../../../src/workers/engine/language.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { languages } from "../../../src/workers/languages/index.ts";
import { anExchange } from "../../support/exchange.ts";
import { routeOf, runRoute, runSteps } from "../../support/run-route.ts";
import { compileText, evaluate, languageOf, surroundings } from "./evaluate.ts";

describe("parameters of the flow", () => {
  const context = surroundings({ greeting: "hi" });
  const value = (text: string, exchange = anExchange()) => compileText(text, "simple", context)(exchange);

  it("properties reads one, or its default", () => {
    assert.equal(value("${properties:greeting} ${properties:nope:a:b}"), "hi a:b");
    assert.equal(value("${properties:${header.k}}", anExchange({ headers: { k: "greeting" } })), "hi");
    assert.equal(value("${properties:nope:}"), "");
  });

  it("properties fails at run time without either, and gives nothing of a prototype", () => {
    for (const key of ["nope", "constructor", "__proto__", "toString"]) {
      assert.throws(
        () => value(`\${properties:${key}}`),
        (error) => error instanceof FlowException && error.message.includes(`Property with key [${key}] not found`),
      );
    }
  });

  it("propertiesExist tells whether there is one", () => {
    assert.equal(
      value("${propertiesExist:greeting} ${propertiesExist:!greeting} ${propertiesExist:nope}"),
      "true false false",
    );
    assert.equal(value("${propertiesExist:!nope}"), true);
  });

  it("come from the flow's params, placeholders in them filled, and count as used", () => {
    const yaml = routeOf('- setBody: { simple: "${properties:url} ${properties:port:80}" }');
    const params = { url: "http://{{host}}", host: "example.org", other: 1, none: null };
    const request = { flowId: "flow", yaml, params, limits: defaultLimits };
    const { flow, diagnostics } = check(request, catalog, compileFlow);
    assert.deepEqual({ ...flow?.model.params }, { url: "http://example.org", host: "example.org", other: "1" });
    assert.deepEqual(
      diagnostics.map(({ code, message }) => `${code} ${/'(\w+)'/.exec(message)?.[1]}`),
      ["unused_param host", "unused_param other", "unused_param none"],
    );
  });
});

describe("other languages inside of simple", () => {
  const echo = (name: string) =>
    defineLanguage({
      name,
      docs: "Shows what it was given.",
      options: (z, { text }) => z.object({ source: text("Where the text is.").optional() }),
      example: "x",
      expression:
        (text, { source }) =>
        (exchange) =>
          `${text}|${source ?? "-"}|${String(exchange.message.body)}`,
    });
  const context = surroundings({}, [
    ...languages.filter(({ name }) => name === "simple"),
    ...["jq", "jsonpath", "xpath"].map(echo),
  ]);
  const value = (text: string, body: unknown = "b") =>
    compileText(text, "simple", context)(anExchange({ body, headers: { f: "name" } }));

  it("get their text as it is, brackets, commas and quotes included", () => {
    assert.equal(value("${jq(.a | map(select(.x == 1, 2)))}"), ".a | map(select(.x == 1, 2))|-|b");
    assert.equal(value("${jsonpath($.a[?(@.b > 1)])}"), "$.a[?(@.b > 1)]|-|b");
    assert.equal(value("${xpath('/a/b[1]')}"), "/a/b[1]|-|b");
  });

  it("get the input that stands before a comma", () => {
    assert.equal(value("${jq(header:in, .a, .b)}"), ".a, .b|header:in|b");
    assert.equal(
      value("${jsonpath(variable:v,$.a)} ${xpath(exchangeProperty:p,'//x')}"),
      "$.a|variable:v|b //x|exchangeProperty:p|b",
    );
  });

  it("see the body of a chain and of forEach", () => {
    assert.equal(value("'' ${uppercase()} ~> ${jq(.a)}"), "'' .a|-|B");
    assert.deepEqual(value("${forEach(${body},${jq(.a)})}", [1, 2]), [".a|-|1", ".a|-|2"]);
  });

  it("may be written with functions in them", () => {
    assert.equal(value("${jq(.${header.f})}"), ".name|-|b");
  });

  it("are refused by name where they are missing", () => {
    assert.throws(
      () => compileText("${jq(.a)}", "simple", surroundings({}, [])),
      /the language 'jq' is not part of this runtime/,
    );
  });
});

describe("simpleJsonpath", () => {
  const order = { customer: { name: "Ann" }, lines: [{ sku: "A" }, { sku: "B" }], size: 7, none: null };
  for (const body of [JSON.stringify(order), new JsonText(JSON.stringify(order), order), order]) {
    it(`reads ${typeof body === "string" ? "text" : body.constructor.name}`, () => {
      const read = (text: string) => evaluate(text, anExchange({ body }));
      assert.equal(
        read("${simpleJsonpath(customer.name)} ${simpleJsonpath('lines[1].sku')} ${simpleJsonpath(size)}"),
        "Ann B 7",
      );
      assert.equal(read("${simpleJsonpath(customer?.nope?.x)}"), null);
      assert.throws(() => read("${simpleJsonpath(none)}"), /nothing at none/);
    });
  }

  it("takes another input, and fails on a text that is not JSON", () => {
    assert.equal(evaluate("${simpleJsonpath(header:h,[0])}", anExchange({ headers: { h: "[5]" } })), 5);
    assert.equal(evaluate("${simpleJsonpath(a)}", anExchange()), null);
    assert.throws(() => evaluate("${simpleJsonpath(a)}", anExchange({ body: "{" })), /not JSON/);
  });
});

describe("file functions", () => {
  const headers = {
    CamelFileName: "a/b.c/report.tar.gz",
    CamelFileNameOnly: "report.tar.gz",
    CamelFileLength: "5",
    CamelFileLastModified: 1_700_000_000_000,
    CamelFileParent: "in",
    CamelFilePath: "in/a",
    CamelFileAbsolutePath: "/in/a",
    CamelFileAbsolute: "false",
  };
  const expected: Readonly<Record<string, unknown>> = {
    name: "a/b.c/report.tar.gz",
    "name.noext": "a/b.c/report",
    "name.noext.single": "a/b.c/report.tar",
    "name.ext": "tar.gz",
    "name.ext.single": "gz",
    onlyname: "report.tar.gz",
    "onlyname.noext": "report",
    "onlyname.noext.single": "report.tar",
    ext: "tar.gz",
    parent: "in",
    path: "in/a",
    absolute: false,
    "absolute.path": "/in/a",
    size: 5,
    length: 5,
    modified: 1_700_000_000_000,
  };
  for (const [name, value] of Object.entries(expected)) {
    it(`file:${name}`, () => {
      assert.equal(evaluate(`\${file:${name}}`, anExchange({ headers })), value);
      assert.equal(evaluate(`\${file:${name}}`, anExchange()), null);
    });
  }
});

describe("the exchange as a text", () => {
  it("logExchange is Camel's, and messageHistory its table of a route without history", () => {
    const exchange = anExchange({ body: "hi", headers: { b: 1, A: "x" } });
    const text = `Exchange[\n\tId                  ${exchange.id}\n\tHeaders             {A=x, b=1}\n\tBodyType            String\n\tBody                hi\n]`;
    assert.equal(evaluate("${logExchange}", exchange), text);
    const history = String(evaluate("${messageHistory}", exchange));
    assert.match(
      history,
      /^\nMessage History \(source location and message history is disabled\)\n-{135}\nSource {35}ID {29}Processor {42}Elapsed \(ms\)\n {41}route1\/route1 /,
    );
    assert.ok(history.endsWith(`\nExchange\n${"-".repeat(135)}\n${text}\n`));
    assert.ok(history.startsWith(String(evaluate("${messageHistory(false)}", exchange)).slice(0, 200)));
  });
});

describe("the exception", () => {
  it("shows what its class has getters for, and null for those of an HTTP failure that it is not", () => {
    const exchange = anExchange();
    const details = { statusCode: 404, responseBody: "gone", uri: "http://x", constructor: 1 };
    const cause = new FlowException("org.apache.camel.http.base.HttpOperationFailedException", "failed", { details });
    exchange.exception = new FlowException("org.apache.camel.CamelExecutionException", "outer", { cause });
    const read = (text: string) => evaluate(text, exchange);
    assert.equal(
      read("${exception.cause.statusCode} ${exception.cause.getResponseBody()} ${exception.cause.uri}"),
      "404 gone http://x",
    );
    assert.equal(read("${exception.statusCode}"), null);
    assert.equal(
      read("${exception.class.simpleName} ${exception.cause.class.name}"),
      `CamelExecutionException ${cause.type}`,
    );
    assert.throws(() => read("${exception.redirects}"), /redirects not found/);
  });
});

describe("the run", () => {
  it("stepId is the group that the exchange is in", async () => {
    const { exchange } = await runSteps(
      '- step: { id: prepare, steps: [{ setBody: { simple: "in ${stepId}" } }] }\n- setHeader: { name: after, simple: "<${stepId}>" }',
    );
    assert.equal(exchange.message.body, "in prepare");
    assert.equal(exchange.message.headers.get("after"), "<>");
  });

  it("originalBody is what the run began with, where the flow keeps it", () => {
    const exchange = anExchange({ body: "first" });
    assert.equal(evaluate("${originalBody}", exchange), null);
    exchange.keepOriginal();
    exchange.message.body = "second";
    assert.equal(evaluate("${originalBody}", exchange), "first");
  });

  it("what forEach writes while it is at one element stays with that element", () => {
    const exchange = anExchange({ body: ["a", "b"] });
    assert.deepEqual(evaluate("${forEach(${body},${setHeader(h,${body})}${header.h}${header.h})}", exchange), [
      "aa",
      "bb",
    ]);
    assert.equal(exchange.message.headers.has("h"), false);
  });
});

describe("options of the language", () => {
  const steps = (options: string) => `- setBody: { simple: { expression: "  \${body[a]} ", trim: false, ${options} } }`;

  it("trimResult takes the spaces off, pretty indents what is JSON", async () => {
    const trimmed = await runSteps(steps("trimResult: true"), { body: { a: " x" } });
    assert.equal(trimmed.exchange.message.body, "x");
    const pretty = await runSteps(steps("pretty: true, trimResult: true"), { body: { a: new JsonText("[1]", [1]) } });
    assert.equal(pretty.exchange.message.body, "[\n\t1\n]");
    const plain = await runSteps(steps("pretty: false"), { body: { a: "x" } });
    assert.equal(plain.exchange.message.body, "  x ");
  });

  it("nested is refused", async () => {
    await assert.rejects(async () => runRoute(routeOf(steps("nested: true"))), /would evaluate what a message holds/);
  });

  it("are known to the language itself", () => assert.ok(languageOf("simple").docs.includes("trimResult")));
});
