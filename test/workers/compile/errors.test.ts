/** onException, errorHandler, doTry: which clause, how often, what is left (Camel: RedeliveryErrorHandler, DefaultExceptionPolicyStrategy). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { routeOf, runRoute } from "../../support/run-route.ts";

const fails = (type = "java.io.FileNotFoundException"): string =>
  routeOf(`- throwException: { exceptionType: ${type}, message: gone }`);

function clause(exception: string, says: string, more = ""): string {
  return `- onException: { exception: [${exception}], handled: { constant: "true" }, ${more} steps: [{ setBody: { constant: ${says} } }] }\n`;
}

async function body(yaml: string): Promise<unknown> {
  const { exchange, error } = await runRoute(yaml);
  if (error !== undefined) throw error;
  return exchange.message.body;
}

describe("the clause of an exception", () => {
  test("is the one of the closest class, whatever their order", async () => {
    const clauses = clause("java.lang.Exception", "any") + clause("java.io.IOException", "io");
    assert.equal(await body(clauses + fails()), "io");
    assert.equal(await body(clauses + fails("java.lang.IllegalStateException")), "any");
  });

  test("of equals is the first whose onWhen holds", async () => {
    const clauses =
      clause("java.io.IOException", "first", "onWhen: { simple: \"${exception.message} == 'else'\" },") +
      clause("java.io.IOException", "second");
    assert.equal(await body(clauses + fails()), "second");
  });

  test("may name a class without its package, and one that only throwException knows", async () => {
    assert.equal(await body(clause("FileNotFoundException", "short") + fails()), "short");
    assert.equal(await body(clause("com.acme.Mine", "mine") + fails("com.acme.Mine")), "mine");
    assert.equal(await body(clause("java.lang.RuntimeException", "runtime") + fails("com.acme.Mine")), "runtime");
  });

  test("is found through the causes, the innermost first", async () => {
    const split = `
- split:
    constant: "a,b"
    stopOnException: true
    steps: [{ throwException: { exceptionType: java.io.IOException, message: gone } }]`;
    const inTry = routeOf(`
- doTry:
    steps:
      - split: { constant: "a", stopOnException: true, steps: [{ throwException: { exceptionType: java.io.IOException, message: gone } }] }
    doCatch: [{ exception: [java.io.IOException], steps: [{ setBody: { simple: "\${exception.message}" } }] }]`);
    assert.match(String(await body(inTry)), /^Multicast processing failed for number 0/);
    assert.ok(split);
  });
});

describe("redelivery", () => {
  const counting = (policy: string, succeedsAt: number): string => `
- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { redeliveryDelay: 1, ${policy} } } }
${routeOf(`
- setBody: { constant: before }
- choice:
    when:
      - simple: "\${header.CamelRedeliveryCounter} != ${succeedsAt}"
        steps:
          - log: "attempt \${header.CamelRedeliveryCounter}"
          - setBody: { constant: spoilt }
          - throwException: { exceptionType: java.io.IOException, message: gone }`)}`;
  const attempts = async (policy: string, succeedsAt = -1): Promise<string[]> => {
    const { logs } = await runRoute(counting(policy, succeedsAt));
    return logs.filter(({ level }) => level === "INFO").map(({ message }) => message);
  };

  test("repeats the failed step alone, as often as its policy says, with the message as it was before the step", async () => {
    // The innermost step, throwException, is the one that fails and is tried again.
    assert.equal((await attempts("maximumRedeliveries: 2")).length, 1);
    const yaml = `
- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { redeliveryDelay: 1, maximumRedeliveries: 2 } } }
- route: { from: { uri: "direct:start", steps: [{ setBody: { constant: before } }, { to: "direct:sub" }] } }
- route:
    errorHandler: { noErrorHandler: {} }
    from:
      uri: direct:sub
      steps:
        - log: "\${body} \${header.CamelRedelivered} \${header.CamelRedeliveryCounter} \${header.CamelRedeliveryMaxCounter}"
        - setBody: { constant: spoilt }
        - throwException: { exceptionType: java.io.IOException, message: gone }`;
    const { logs, error } = await runRoute(yaml);
    assert.match(String(error), /gone/);
    assert.deepEqual(
      logs.filter(({ level }) => level === "INFO").map(({ message }) => message),
      ["before   ", "before true 1 2", "before true 2 2"],
    );
  });

  test("a clause with steps and without a policy does not repeat; retryWhile decides alone", async () => {
    const handler =
      "- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 3, redeliveryDelay: 1 } } }\n";
    const thrower = routeOf(`- to: "direct:sub"`);
    const sub = `
- route:
    errorHandler: { noErrorHandler: {} }
    from: { uri: "direct:sub", steps: [{ log: tried }, { throwException: { exceptionType: java.io.IOException, message: gone } }] }`;
    const tries = async (text: string): Promise<number> =>
      (await runRoute(text)).logs.filter(({ message }) => message === "tried").length;
    const io = (more: string): string =>
      `- onException: { exception: [java.io.IOException], ${more} steps: [{ setBody: { constant: x } }] }\n`;
    assert.equal(await tries(handler + thrower + sub), 4);
    assert.equal(await tries(handler + io("") + thrower + sub), 1);
    assert.equal(await tries(handler + io("redeliveryPolicy: { maximumRedeliveries: 1 },") + thrower + sub), 2);
    const retryWhile = 'retryWhile: { simple: "${header.CamelRedeliveryCounter} < 6" },';
    assert.equal(await tries(handler + io(retryWhile) + thrower + sub), 6);
  });

  test("policies that cannot be read are refused with their place", async () => {
    const policy = (text: string): string =>
      `- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { ${text} } } }\n${fails()}`;
    await assert.rejects(runRoute(policy("delayPattern: soon")), /delayPattern is written 'attempt:delay/);
    await assert.rejects(runRoute(policy("backOffMultiplier: much")), /backOffMultiplier is a number/);
    await assert.rejects(runRoute(policy("redeliveryDelai: 2")), /did you mean 'redeliveryDelay'/);
    await assert.rejects(runRoute(policy("logStackTrace: true")), /no Java stack traces/);
  });

  test("a run that is cancelled while it waits for a redelivery ends", async () => {
    const yaml = `- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: -1, redeliveryDelay: 1h, maximumRedeliveryDelay: 2h } } }\n${fails()}`;
    const { beginRoute } = await import("../../support/run-route.ts");
    const { run, outcome } = beginRoute(yaml);
    run.cancel("enough");
    assert.match(String((await outcome).error), /the run was cancelled: enough/);
  });
});

describe("handled, continued, the original message", () => {
  test("an exception of the clause's own steps takes the first one's place", async () => {
    const yaml = `
- onException:
    exception: [java.io.IOException]
    handled: { constant: "true" }
    steps: [{ throwException: { exceptionType: java.lang.IllegalStateException, message: "worse" } }]
${fails()}`;
    assert.match(String((await runRoute(yaml)).error), /worse/);
  });

  test("useOriginalMessage gives the steps the message with which the unit of work began, useOriginalBody its body", async () => {
    const yaml = (option: string): string => `
- onException: { exception: [java.io.IOException], handled: { constant: "true" }, ${option}: true, steps: [{ log: "\${body} \${header.h}" }] }
${routeOf(`
- setBody: { constant: changed }
- setHeader: { name: h, constant: set }
- throwException: { exceptionType: java.io.IOException, message: gone }`)}`;
    const said = async (option: string): Promise<string | undefined> =>
      (await runRoute(yaml(option), { body: "first" })).logs.find(({ level }) => level === "INFO")?.message;
    assert.equal(await said("useOriginalMessage"), "first ");
    assert.equal(await said("useOriginalBody"), "first set");
  });

  test("handled and continued in one clause, and an errorHandler of no kind, are refused", async () => {
    const both = `- onException: { exception: [java.io.IOException], handled: { constant: "true" }, continued: { constant: "true" } }\n`;
    await assert.rejects(runRoute(both + fails()), /either handled or continued/);
    await assert.rejects(runRoute(`- errorHandler: {}\n${fails()}`), /an errorHandler is one of deadLetterChannel/);
    const two = `- errorHandler: { defaultErrorHandler: {}, noErrorHandler: {} }\n`;
    await assert.rejects(runRoute(two + fails()), /an errorHandler is of one kind/);
    await assert.rejects(
      runRoute(`- errorHandler: { refErrorHandler: { ref: x } }\n${fails()}`),
      /error handlers are no beans here/,
    );
  });
});

describe("routeConfiguration", () => {
  const sorry =
    'onException: [{ onException: { exception: [java.lang.Exception], handled: { constant: "true" }, steps: [{ setBody: { constant: sorry } }] } }]';
  const route = (attribute: string): string =>
    `- route: { ${attribute} from: { uri: "direct:start", steps: [{ throwException: { exceptionType: java.io.IOException, message: gone } }] } }`;

  test("without an id is for routes that name none, with an id for those that name it", async () => {
    const anonymous = `- routeConfiguration: { ${sorry} }\n`;
    const named = `- routeConfiguration: { id: errs, ${sorry} }\n`;
    assert.equal(await body(anonymous + route("")), "sorry");
    assert.equal(await body(named + route("routeConfigurationId: errs,")), "sorry");
    assert.equal(await body(named + route('routeConfigurationId: "x*,er*",')), "sorry");
    await assert.rejects(body(named + route("")), /gone/);
  });

  test("an id that none has is refused, with a guess; the list form of Camel 3 is read", async () => {
    const named = `- routeConfiguration: { id: errs, ${sorry} }\n`;
    await assert.rejects(runRoute(named + route("routeConfigurationId: ers,")), /did you mean 'errs'/);
    assert.equal(
      await body(`- route-configuration: [{ id: errs }, { ${sorry} }]\n${route("routeConfigurationId: errs,")}`),
      "sorry",
    );
  });

  test("a precondition that is false leaves it out", async () => {
    await assert.rejects(body(`- routeConfiguration: { precondition: "false", ${sorry} }\n${route("")}`), /gone/);
  });
});

describe("a handler that leads to the failure which it handles", () => {
  const failing = `- to: "log:round"\n- throwException: { exceptionType: java.io.IOException, message: gone }`;
  const dead = (steps: string): string => `${routeOf(steps)}
- route:
    id: dead
    from:
      uri: "direct:dead"
      steps:
${failing.replaceAll(/^/gm, "        ")}
`;
  const retrying = "redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 0 }";
  const clauseTo = (to: string): string =>
    `- onException: { exception: [java.lang.Exception], handled: { constant: "true" }, steps: [${to}] }\n`;
  const parts = 'split: { constant: "a", stopOnException: true, steps: [{ to: "direct:dead" }] }';

  for (const [shape, yaml, rounds] of [
    [
      "a dead letter channel",
      `- errorHandler: { deadLetterChannel: { deadLetterUri: "direct:dead", ${retrying} } }\n`,
      2,
    ],
    ["a clause", clauseTo('{ to: "direct:dead" }'), 2],
    ["a clause, in a part", clauseTo(`{ ${parts} }`), 2],
    ["a clause, in a parallel part", clauseTo(`{ ${parts.replace("{ ", "{ parallelProcessing: true, ")} }`), 2],
  ] as const) {
    test(`is broken off in its second round, and the run fails (${shape})`, async () => {
      const { error, logs } = await runRoute(yaml + dead(failing));
      assert.match(String(error), /gone|Multicast processing failed/);
      const begun = logs.filter(({ logger }) => logger === "round").length;
      const circles = logs.filter(({ message }) => /Circular error handler detected in route 'dead'/.test(message));
      assert.equal(circles.length, 1);
      assert.ok(begun <= rounds + 1, `${begun} rounds`);
    });
  }

  test("does not keep a handler from calling a route that handles a failure of its own", async () => {
    const yaml = `${clauseTo('{ to: "direct:dead" }, { setBody: { constant: handled } }')}${routeOf(failing)}
- route:
    id: dead
    from:
      uri: "direct:dead"
      steps:
        - doTry:
            steps: [{ throwException: { exceptionType: java.io.IOException, message: again } }]
            doCatch: [{ exception: [java.io.IOException], steps: [{ log: own }] }]
`;
    const { error } = await runRoute(yaml);
    assert.equal(error, undefined);
  });
});
