/** What a run does that a second run would do again: told before it is done, of these kinds of steps and of no others. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { ToThread } from "../../src/shared/frames-to-thread.ts";
import { defaultLimits } from "../../src/shared/limits.ts";
import { BodyKind, effectSlots, Word, wordCount } from "../../src/shared/protocol.ts";
import { Announcements } from "../../src/workers/announcements.ts";
import type { Exchange } from "../../src/workers/engine/exchange.ts";
import type { RunSink } from "../../src/workers/engine/run-sink.ts";
import { Line } from "../../src/workers/line.ts";
import { MappingRegistry } from "../../src/workers/mappings/registry.ts";
import { ArmedSessions } from "../../src/workers/mocks/session-mocks.ts";
import { RunTable } from "../../src/workers/run-table.ts";
import { startHttpServer } from "../support/http-server.ts";
import { aSession } from "../support/mock-session.ts";
import { compileYaml, type RouteOptions, routeOf, runRoute } from "../support/run-route.ts";
import { loopback } from "./components/http-calls.ts";

/** What was told, in order: `effect`, `call`, and what the test itself adds. */
async function told(flow: string, make: (told: string[]) => RouteOptions = () => ({})): Promise<string[]> {
  const all: string[] = [];
  const { sink, ...options } = make(all);
  const telling: Partial<RunSink<Exchange>> = {
    touch: () => all.push("effect"),
    calledOut: () => all.push("call"),
    ...sink,
  };
  const { announced } = await runRoute(flow, { ...options, sink: telling });
  await announced.settled();
  return all;
}

describe("before it is done it is told of", () => {
  const repository = `"#class:org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository"`;
  const stateful = {
    "an aggregate": `- aggregate: { correlationExpression: { constant: a }, aggregationStrategy: "#groupedBodyAggregationStrategy", completionSize: 2 }`,
    "an idempotentConsumer": `- idempotentConsumer: { constant: a, idempotentRepository: ${repository}, steps: [] }`,
    "a throttle": `- throttle: { constant: "1" }`,
    "a circuitBreaker": "- circuitBreaker: { steps: [{ removeHeader: a }] }",
    "a sample": `- sample: { samplePeriod: "1000" }`,
    "a loadBalance": "- loadBalance: { roundRobinLoadBalancer: {}, steps: [{ removeHeader: a }, { removeHeader: a }] }",
  };
  for (const [name, steps] of Object.entries(stateful)) {
    test(name, async () => assert.equal((await told(routeOf(steps)))[0], "effect"));
  }

  const announcing = {
    "a wireTap": routeOf("- wireTap: { uri: mock:a }"),
    "a message for seda": `${routeOf("- to: seda:b")}- route: { id: b, from: { uri: seda:b, steps: [{ log: b }] } }\n`,
    "an onCompletion": `- onCompletion: { steps: [{ log: over }] }\n${routeOf("- log: a")}`,
  };
  for (const [name, flow] of Object.entries(announcing)) {
    test(`${name}, which is a run of its own`, async () => assert.equal((await told(flow))[0], "effect"));
    test(`${name} that finds no place`, async () =>
      assert.equal((await told(flow, () => ({ limits: { announcedRuns: 0 } })))[0], "effect"));
  }

  for (const [name, step] of Object.entries({ to: "to", toD: "toD" })) {
    test(`a request to a server by ${name}, each as one call`, async (t) => {
      const server = await startHttpServer(t, (_, response) => response.end());
      const flow = routeOf(`- ${step}: "${server.url}"\n- setBody: { constant: a }\n- ${step}: "${server.url}"`);
      const all = await told(flow, () => ({ egress: loopback }));
      assert.equal(server.heard.length, 2);
      assert.deepEqual(all, ["effect", "call", "effect", "call"]);
    });
  }

  test("a request to a server that cannot be reached", async () => {
    const all = await told(routeOf(`- enrich: { constant: "http://127.0.0.1:1" }`), () => ({ egress: loopback }));
    assert.deepEqual(all, ["effect", "call"]);
  });

  test("a direct call to another flow", async () => {
    const all = await told(routeOf("- to: direct:elsewhere"), (list) => ({
      call: async () => void list.push("done"),
    }));
    assert.deepEqual(all, ["effect", "call", "done"]);
  });

  test("what controlbus does to a route, not what it asks", async () => {
    const flow = (action: string): string => routeOf(`- to: "controlbus:route?routeId=current&action=${action}"`);
    const route = (list: string[]): RouteOptions => ({
      sink: {
        route: async () => {
          list.push("done");
          return "Stopped";
        },
      },
    });
    assert.deepEqual(await told(flow("stop"), route), ["effect", "done"]);
    assert.deepEqual(await told(flow("status"), route), ["done"]);
  });

  test("a mock's answer, before its use is counted", async () => {
    const session = aSession([{ stepId: "crm", respond: { body: "mocked" } }]);
    let uses: readonly number[] | undefined;
    await told(routeOf("- setBody: { id: crm, constant: real }"), () => ({
      sessions: [session],
      sink: { touch: () => (uses = session.uses()) },
    }));
    assert.deepEqual(uses, [0]);
    assert.deepEqual(session.uses(), [1]);
  });
});

test("steps that change nothing but their message are no effects", async () => {
  const steps = [
    `setBody: { simple: "\${random(10)} \${uuid} \${date:now}" }`,
    `log: "\${body}"`,
    "to: log:a",
    "to: mock:a",
    "to: direct:b",
    "toD: direct:b",
    "enrich: { constant: direct:b }",
    `setVariable: { name: v, constant: a }`,
    `setBody: { js: "Math.random()" }`,
    `split: { constant: "a,b", delimiter: ",", steps: [{ log: part }] }`,
    "multicast: { parallelProcessing: true, steps: [{ log: a }, { log: b }] }",
    `loop: { constant: "2", steps: [{ delay: { constant: 1 } }] }`,
    "doTry: { steps: [{ throwException: { exceptionType: a, message: a } }], doCatch: [{ exception: [a], steps: [] }] }",
    `recipientList: { constant: "mock:a,direct:b" }`,
    "claimCheck: { operation: Push }",
    "claimCheck: { operation: Pop }",
    `to: "language:simple:a"`,
  ];
  const flow = `${routeOf(steps.map((step) => `- ${step}`).join("\n"))}- route: { id: b, from: { uri: direct:b, steps: [{ log: b }] } }\n`;
  assert.deepEqual(await told(flow), []);
});

describe("the bit of a run's slot", () => {
  const flow = `${routeOf("- throttle: { constant: '1000' }\n- filter: { simple: \"${body} == 'wait'\", steps: [{ delay: { constant: 3600000 } }] }")}- route: { id: plain, from: { uri: direct:plain, steps: [{ log: a }] } }\n`;

  function aThread() {
    const { port1, port2 } = new MessageChannel();
    const memory = new SharedArrayBuffer(wordCount * Int32Array.BYTES_PER_ELEMENT);
    const line = new Line(port1, memory, new SharedArrayBuffer(4));
    line.maxEvent = defaultLimits.eventBytes;
    const announced = new Announcements(line, defaultLimits, () => {});
    const compiled = compileYaml(flow, defaultLimits, announced);
    const sessions = new ArmedSessions(compiled, () => {});
    const mappings = new MappingRegistry({});
    const table = new RunTable(compiled, line, defaultLimits, announced, mappings, sessions, () => {});
    const words = new Int32Array(memory);
    const begun: number[] = [];
    return {
      words,
      port: port2,
      line,
      bit: (slot: number): boolean => ((words[Word.effects + (slot >>> 5)] as number) & (1 << (slot & 31))) !== 0,
      invoke(slot: number, route: number, body: string): void {
        begun.push(slot);
        table.invoke([ToThread.invoke, slot, route, -1, "", BodyKind.text, body, ""], 0);
      },
      cancel: (slot: number) => table.cancel(slot, "enough"),
      close(): void {
        for (const slot of begun) table.cancel(slot, "the test is over");
        port1.close();
      },
    };
  }

  test("is set while the run is under way and after its answer, which may not be read, and clear for the slot's next run", async (t) => {
    const thread = aThread();
    t.after(() => thread.close());
    for (const slot of [0, 31, 33, effectSlots - 1]) {
      thread.invoke(slot, 0, "wait");
      assert.equal(thread.bit(slot), true, `${slot}`);
    }
    assert.equal(thread.bit(1), false);
    thread.invoke(32, 0, "go");
    await once(thread.port, "message");
    assert.equal(thread.bit(32), true);
    for (const slot of [0, 31, 33, effectSlots - 1]) thread.cancel(slot);
    await once(thread.port, "message");
    assert.deepEqual(
      [0, 31, 33].map((slot) => thread.bit(slot)),
      [true, true, true],
    );
    thread.invoke(33, 1, "plain");
    assert.equal(thread.bit(33), false);
  });

  test("is clear when a run begins, whatever a part of an earlier one has set since", (t) => {
    const thread = aThread();
    t.after(() => thread.close());
    thread.line.touch(5);
    thread.invoke(5, 1, "plain");
    assert.equal(thread.bit(5), false);
  });

  test("is nobody's beyond those that have one", (t) => {
    const thread = aThread();
    t.after(() => thread.close());
    thread.invoke(effectSlots, 0, "go");
    assert.deepEqual([...thread.words.subarray(Word.effects, Word.effects + effectSlots / 32)].filter(Boolean), []);
  });

  test("has a neighbour that counts the calls", (t) => {
    const thread = aThread();
    t.after(() => thread.close());
    thread.line.calledOut();
    thread.line.calledOut();
    assert.equal(thread.words[Word.calls], 2);
  });
});
