/** The next records of a group, which are looked at and stay where they are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { startKafkaApp, startKafkaFor } from "./kafka-app.ts";

interface Peeked {
  readonly at: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

test("records behind a group's position are shown in their order, and are consumed afterwards as if nobody had looked", {
  skip: missing("Kafka"),
}, async (t) => {
  const { server, tester } = await startKafkaFor(t);
  const app = await startKafkaApp(t, server);
  await tester.create("inbox");
  await eventually(
    async () => (await tester.send("inbox", [{ key: "k", value: "m0", headers: { mine: "yes" } }]), true),
    "the topic takes records",
  );
  await tester.send(
    "inbox",
    ["m1", "m2", "m3"].map((value) => ({ value })),
  );
  const from = `uri: "kafka:inbox", parameters: { groupId: g, autoOffsetReset: earliest }`;
  const yaml = (ms: number): string =>
    `- route: { id: taker, from: { ${from}, steps: [{ delay: { constant: ${ms} } }, { log: "got \${body}" }] } }\n`;
  assert.equal((await app.put("f", yaml(60_000))).status, 201);
  const peek = async (limit: number): Promise<readonly Peeked[]> => {
    const answer = await app.api(`/flows/f/routes/taker/messages?limit=${limit}`);
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()) as Peeked[];
  };
  const shown = await peek(3);
  assert.deepEqual(
    shown.map(({ at, body }) => [at, body]),
    [
      ["inbox/0/0", "m0"],
      ["inbox/0/1", "m1"],
      ["inbox/0/2", "m2"],
    ],
  );
  assert.equal(shown[0]?.headers["CamelKafkaKey"], "k");
  assert.equal(shown[0]?.headers["mine"], "yes");
  assert.equal((await peek(50)).length, 4);
  assert.equal((await app.put("f", yaml(0))).status, 200);
  const got = (): readonly string[] =>
    app.logs.filter(({ message }) => message.startsWith("got ")).map(({ message }) => message.slice(4));
  await eventually(() => got().length >= 4, "all are consumed", 120_000);
  assert.deepEqual([...new Set(got())].sort(), ["m0", "m1", "m2", "m3"]);
});
