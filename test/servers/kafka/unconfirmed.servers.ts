/** Positions that a real broker does not confirm: further records wait, so that a loss repeats few. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { missing } from "../missing.ts";
import { startKafkaApp, startKafkaFor } from "./kafka-app.ts";

const patience = 60_000;
const count = 500;

test("while positions are not confirmed a partition takes 32 further records, and all of them once when they are", {
  skip: missing("Kafka"),
}, async (t) => {
  const { server, tester } = await startKafkaFor(t);
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const upstream = await startHttpServer(t, (_, response) => {
    const answer = (): void => void response.end("ok");
    if (isOpen) answer();
    else waiting.push(answer);
  });
  const started = await startKafkaApp(t, server, { egressAllow: upstream.host });
  await tester.create("slow");
  await tester.send(
    "slow",
    Array.from({ length: count }, (_, number) => ({ value: String(number) })),
  );
  const answer = await started.put(
    "slow",
    `- route:
    id: slow
    from:
      uri: kafka:slow
      parameters: { groupId: slow, autoOffsetReset: earliest }
      steps: [{ setProperty: { name: number, simple: "\${body}" } }, { to: "${upstream.url}/wait" }, { log: "got \${exchangeProperty.number}" }]
`,
  );
  assert.ok(answer.ok, await answer.text());
  await eventually(() => waiting.length === 1, "a run is under way", patience);
  const got = (): readonly string[] =>
    started.logs.flatMap(({ message }) => (message.startsWith("got ") ? [message.slice(4)] : []));
  const isBehind = (): boolean => started.logs.some(({ message }) => message.includes("could not be committed"));

  const { pid } = server.process;
  assert.ok(pid !== undefined);
  process.kill(pid, "SIGSTOP");
  try {
    isOpen = true;
    waiting.shift()?.();
    await eventually(isBehind, "a commit has failed", patience);
    assert.ok(got().length <= 32, `${got().length} were taken`);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await eventually(async () => (await tester.lag("slow", "slow")) === 0, "all is committed", patience);
  assert.deepEqual(
    got().map(Number),
    Array.from({ length: count }, (_, number) => number),
  );
});
