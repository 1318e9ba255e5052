/** Subscriptions at a real broker: what comes when, and what is lost when. */
import assert from "node:assert/strict";
import { eventually, monotonicMs } from "../../support/clock.ts";
import type { TestApp } from "../../support/start-app.ts";
import { putConnection } from "../sql/connection-document.ts";
import { connectionTo, startMqttApp, brokerTest as test } from "./mqtt-app.ts";
import { connect, leftFor, publish } from "./test-client.ts";

const schemes = [
  { scheme: "paho-mqtt5", clean: "cleanStart", version: 5 },
  { scheme: "paho", clean: "cleanSession", version: 4 },
] as const;

/** Deploys a route that logs its id, the topic, the qos and the body. */
async function subscribe(app: TestApp, id: string, from: string, steps = ""): Promise<void> {
  const log = `{ log: "${id} \${header.CamelMqttTopic} \${header.CamelMqttQoS} \${body}" }`;
  const answer = await app.put(id, `- route: { id: ${id}, from: { ${from}, steps: [${steps} ${log}] } }`);
  assert.ok(answer.ok, await answer.text());
  await running(app, id);
}

interface Consumer {
  readonly state: string;
  readonly lastPoll: string | null;
}

/** Waits until the consumer is subscribed. */
async function running(app: TestApp, id: string): Promise<void> {
  const subscribed = async (): Promise<true | undefined> => {
    const flow = (await (await app.api(`/flows/${id}`)).json()) as { readonly consumers: readonly Consumer[] };
    const [consumer] = flow.consumers;
    return consumer?.lastPoll != null && consumer.state !== "polling" ? true : undefined;
  };
  await eventually(subscribed, `${id} runs`, 60_000);
}

const linesOf = (app: TestApp, id: string): readonly string[] =>
  app.logs.map(({ message }) => message).filter((message) => message.startsWith(`${id} `));

async function hears(app: TestApp, id: string, ...texts: string[]): Promise<void> {
  for (const text of texts)
    await eventually(() => linesOf(app, id).some((line) => line === `${id} ${text}`), `${id} ${text}`, 60_000).catch(
      (error: unknown) => assert.fail(`${String(error)}: ${linesOf(app, id).join("; ")}`),
    );
}

for (const { scheme, clean, version } of schemes) {
  test(`${scheme}: filters with + and #, the lower of two qos, bytes that print as text`, async (t) => {
    const { app, broker } = await startMqttApp(t);
    await subscribe(app, "one", `uri: "${scheme}:a/+/c?qos=1&${clean}=false"`);
    await subscribe(app, "all", `uri: "${scheme}:a/#?qos=2&${clean}=false"`);
    await publish(broker, [["a/b/c", "grün"]], { qos: 2 });
    await publish(broker, [["a/b/c/d", "deep"]], { qos: 0 });
    await hears(app, "one", "a/b/c 1 grün");
    await hears(app, "all", "a/b/c 2 grün", "a/b/c/d 0 deep");
    assert.equal(linesOf(app, "one").length, 1);
  });

  test(`${scheme}: a shared subscription gives each message to one of the group`, async (t) => {
    const { app, broker } = await startMqttApp(t);
    await subscribe(app, "left", `uri: "${scheme}:$share/g/jobs/#?qos=1&${clean}=false"`);
    await subscribe(app, "right", `uri: "${scheme}:$share/g/jobs/#?qos=1&${clean}=false"`);
    await publish(
      broker,
      Array.from({ length: 40 }, (_, at) => [`jobs/${at}`, `job${at}`] as const),
    );
    const both = (): number => linesOf(app, "left").length + linesOf(app, "right").length;
    await eventually(() => both() >= 40, "all are done", 60_000);
    assert.equal(both(), 40);
    assert.ok(linesOf(app, "left").length > 0 && linesOf(app, "right").length > 0);
  });

  test(`${scheme}: what comes while the route is stopped waits in the session, and is lost without one`, async (t) => {
    const { app, broker } = await startMqttApp(t);
    await subscribe(app, "kept", `uri: "${scheme}:a?qos=1&${clean}=false"`);
    await subscribe(app, "loses", `uri: "${scheme}:a?qos=1"`);
    for (const id of ["kept", "loses"]) await app.api(`/flows/${id}/stop`, { method: "POST" });
    await eventually(
      async () => {
        return (await openOf(app)) === 0 ? true : undefined;
      },
      "both have gone",
      60_000,
    );
    await publish(broker, [["a", "meanwhile"]]);
    for (const id of ["kept", "loses"]) await app.api(`/flows/${id}/start`, { method: "POST" });
    await hears(app, "kept", "a 1 meanwhile");
    await eventually(
      async () => {
        return (await openOf(app)) === 2 ? true : undefined;
      },
      "both are back",
      60_000,
    );
    await eventually(
      async () => {
        await publish(broker, [["a", "after"]]);
        return linesOf(app, "loses").length > 0 ? true : undefined;
      },
      "the other hears again",
      60_000,
    );
    assert.ok(linesOf(app, "loses").every((line) => line === "loses a 1 after"));
  });

  test(`${scheme}: with manualAcksEnabled a failed message stays, others go on, and it comes again with the next connection`, async (t) => {
    const { app, broker } = await startMqttApp(t);
    const fail = `{ filter: { simple: "\${body} == 'bad'", steps: [{ log: "tried" }, { throwException: { exceptionType: java.io.IOException, message: no } }] } },`;
    const from = `uri: "${scheme}:a?qos=1&${clean}=false&manualAcksEnabled=true&clientId=manual"`;
    await subscribe(app, "manual", from, fail);
    await publish(broker, [
      ["a", "bad"],
      ["a", "good"],
    ]);
    await hears(app, "manual", "a 1 good");
    const tried = (): number => app.logs.filter(({ message }) => message === "tried").length;
    assert.equal(tried(), 1);
    const again = await app.put("manual", `- route: { id: manual, from: { ${from}, steps: [${fail} { log: x }] } }`);
    assert.ok(again.ok, await again.text());
    await eventually(() => tried() === 2, "it comes again", 60_000);
    await app.api("/flows/manual", { method: "DELETE" });
    await eventually(async () => ((await openOf(app)) === 0 ? true : undefined), "it has gone", 60_000);
    assert.deepEqual(await leftFor(broker, "manual", version), ["bad"]);
  });

  test(`${scheme}: a failed message is acknowledged, and kept among the failed ones`, async (t) => {
    const { app, broker } = await startMqttApp(t);
    const fail = "{ throwException: { exceptionType: java.io.IOException, message: no } },";
    await subscribe(app, "fails", `uri: "${scheme}:a?qos=2&${clean}=false&clientId=fails"`, fail);
    await publish(broker, [["a", "bad"]]);
    await eventually(
      async () => {
        const kept = (await (await app.api("/failed?flowId=fails")).json()) as unknown;
        return JSON.stringify(kept).includes("fails") ? true : undefined;
      },
      "it is kept",
      60_000,
    );
    await app.api("/flows/fails", { method: "DELETE" });
    await eventually(async () => ((await openOf(app)) === 0 ? true : undefined), "it has gone", 60_000);
    assert.deepEqual(await leftFor(broker, "fails", version), []);
  });
}

async function openOf(app: TestApp): Promise<number> {
  return ((await (await app.api("/connections/broker")).json()) as { state: { open: number } }).state.open;
}

test("several messages are under way with concurrentConsumers, and no more are asked of the broker", async (t) => {
  const { app, broker } = await startMqttApp(t);
  await subscribe(
    app,
    "several",
    `uri: "paho-mqtt5:a?qos=1&cleanStart=false&concurrentConsumers=4"`,
    `{ log: "began \${body}" }, { delay: { constant: 1000 } },`,
  );
  await publish(
    broker,
    Array.from({ length: 8 }, (_, at) => ["a", `m${at}`] as const),
  );
  await eventually(() => linesOf(app, "began").length >= 4, "four have begun", 60_000);
  assert.equal(linesOf(app, "several").length, 0);
  await eventually(() => linesOf(app, "several").length === 8, "all have ended", 60_000);
});

test("a retained message comes once for a session that is kept, and with each deployment without one", async (t) => {
  const { app, broker } = await startMqttApp(t);
  await publish(broker, [["state", "on"]], { qos: 1, retain: true });
  const from = {
    kept: `uri: "paho-mqtt5:state?qos=1&cleanStart=false"`,
    fresh: `uri: "paho-mqtt5:state?qos=1"`,
  };
  for (const [id, uri] of Object.entries(from)) {
    await subscribe(app, id, uri);
    await hears(app, id, "state 1 on");
    await subscribe(app, id, uri, `{ log: "again" },`);
  }
  await eventually(() => linesOf(app, "fresh").length === 2, "it comes again", 60_000);
  await publish(broker, [["state", "off"]]);
  await hears(app, "kept", "state 1 off");
  assert.deepEqual(linesOf(app, "kept"), ["kept state 1 on", "kept state 1 off"]);
});

test("properties of MQTT 5 are a map in a header, and none becomes a header by its own name", async (t) => {
  const { app, broker } = await startMqttApp(t);
  const show = `{ log: "props \${header.CamelPahoMqtt5MsgProperties[contentType]} \${header.CamelPahoMqtt5MsgProperties[userProperties][0][value]} [\${header.CamelHttpUri}] [\${header.plant}]" },`;
  await subscribe(app, "props-in", `uri: "paho-mqtt5:a?qos=1&cleanStart=false"`, show);
  await publish(broker, [["a", "x"]], {
    qos: 1,
    properties: {
      contentType: "text/plain",
      userProperties: { plant: "north", CamelHttpUri: "http://169.254.169.254" },
    },
  });
  await hears(app, "props", "text/plain north [] []");
});

test("a client that takes the id away is reported, and the two do not change in a hot loop", async (t) => {
  const { app, broker } = await startMqttApp(t);
  await subscribe(app, "mine", `uri: "paho-mqtt5:a?qos=1&cleanStart=false&clientId=shared"`);
  const connects: number[] = [];
  const other = await connect(broker, { clientId: "shared", reconnectPeriod: 1 });
  t.after(() => other.end(true));
  other.on("connect", () => {
    connects.push(monotonicMs());
  });
  const reported = () =>
    app.logs.filter(({ message }) => /'mine' cannot poll: .*another client with the id 'shared'/.test(message));
  await eventually(() => reported().length > 0, "it is reported", 60_000);
  await eventually(() => connects.length >= 4, "they take it from each other", 60_000);
  assert.ok(reported().length <= 6, `${reported().length} lines`);
  await eventually(() => connects.length >= 6, "they go on", 60_000);
  // The other client comes back at once: it is this one that waits.
  const [before = 0, last = 0] = connects.slice(4);
  assert.ok(last - before > 100, `${connects}`);
});

test("other settings of the connection are in force at once, and nothing is lost or doubled meanwhile", async (t) => {
  const { app, broker } = await startMqttApp(t);
  await subscribe(app, "follows", `uri: "paho-mqtt5:a?qos=1&cleanStart=false"`);
  const texts = Array.from({ length: 100 }, (_, at) => `m${at}`);
  for (const [at, text] of texts.entries()) {
    await publish(broker, [["a", text]]);
    if (at % 25 === 10)
      await putConnection(app, "broker", connectionTo(broker, { default: true, options: { keepAlive: 60 + at } }));
  }
  await hears(app, "follows", ...texts.map((text) => `a 1 ${text}`));
  assert.equal(linesOf(app, "follows").length, texts.length);
  assert.deepEqual(
    app.logs.filter(({ message }) => message.includes("cannot poll")),
    [],
  );
});

test("a message larger than the flow's limit fails, and those behind it go on", async (t) => {
  const { app, broker } = await startMqttApp(t, { limits: { messageBodyBytes: 10_000 } });
  await subscribe(app, "bounded", `uri: "paho-mqtt5:a?qos=1&cleanStart=false&clientId=bounded"`);
  // The packet of the second one is cut as it comes.
  const sizes = [20_000, 2_000_000];
  await publish(broker, [...sizes.map((size) => ["a", "x".repeat(size)] as const), ["a", "small"]]);
  await hears(app, "bounded", "a 1 small");
  assert.equal(linesOf(app, "bounded").length, 1);
  const kept = (await (await app.api("/failed?routeId=bounded")).json()) as {
    id: string;
    error: { message: string };
  }[];
  assert.deepEqual(
    kept.map(({ error }) => /at most 10000 bytes, and this one has (\d+)\./.exec(error.message)?.[1]).sort(),
    sizes.map(String).sort(),
  );
  const { headOnly, message } = (await (await app.api(`/failed/${kept[0]?.id}`)).json()) as Record<string, unknown>;
  assert.equal(headOnly, true);
  assert.match(JSON.stringify(message), /"CamelMqttTopic":"a"/);
  assert.deepEqual(
    app.logs.filter(({ message: text }) => text.includes("cannot poll")),
    [],
  );
});

test("pings go on while a run takes longer than the keep-alive time, and nothing comes twice", async (t) => {
  const { app, broker } = await startMqttApp(t);
  for (const [id, uri] of [
    ["slow5", "paho-mqtt5:slow?qos=1&cleanStart=false&keepAliveInterval=1"],
    ["slow3", "paho:slow?qos=1&cleanSession=false&keepAliveInterval=1"],
  ] as const)
    await subscribe(app, id, `uri: "${uri}"`, "{ delay: { constant: 5000 } },");
  await publish(broker, [
    ["slow", "one"],
    ["slow", "two"],
  ]);
  for (const id of ["slow5", "slow3"]) await hears(app, id, "slow 1 one", "slow 1 two");
  for (const id of ["slow5", "slow3"]) assert.equal(linesOf(app, id).length, 2);
  assert.deepEqual(
    app.logs.filter(({ message }) => message.includes("cannot poll")),
    [],
  );
});
