/** Groups whose members come and go under load: nothing is lost, and little is doubled. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, pause } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { patience } from "../suite/case.ts";
import { countOf } from "../suite/outcome.ts";
import { startKafkaApp } from "./kafka-app.ts";
import { KafkaTester } from "./kafka-client.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";

const skip = missing("Kafka");
let server: KafkaServer;
let tester: KafkaTester;
const partitions = 6;
const rounds = 4;

before(async () => {
  if (skip !== false) return;
  server = await startKafka();
  tester = new KafkaTester(server.ports.plain);
});
after(async () => {
  await tester?.close();
  await server?.close();
});

for (const protocol of ["classic", "consumer"])
  test(`${protocol}: a second runtime joins and leaves the group under load, and nothing is lost or doubled`, {
    skip,
  }, async (t) => {
    const [inbox, sink] = [`inbox-${protocol}`, `sink-${protocol}`];
    await Promise.all([tester.create(inbox, partitions), tester.create(sink)]);
    const options = `groupId: ${inbox}, groupProtocol: ${protocol}, autoOffsetReset: earliest, consumersCount: 3, heartbeatIntervalMs: 300`;
    const flow = `- route: { id: moves, from: { uri: "kafka:${inbox}", parameters: { ${options} }, steps: [{ delay: { constant: 20 } }, { to: "kafka:${sink}" }] } }\n`;
    const start = async () => {
      const app = await startKafkaApp(t, server);
      return app;
    };
    const [first, second] = [await start(), await start()];
    assert.ok((await first.put("moves", flow)).ok);
    const produced: string[] = [];
    let feeding = true;
    const feed = (async () => {
      for (let at = 0; feeding; at += 1) {
        const texts = Array.from({ length: 6 }, (_, one) => `r${at}-${one}`);
        await tester.send(
          inbox,
          texts.map((value, partition) => ({ value, partition })),
        );
        produced.push(...texts);
        await pause(50);
      }
    })();
    const consumed = async (): Promise<readonly string[]> =>
      (await tester.read(sink)).map(({ value }) => String(value));
    const more = async (count: number): Promise<void> => {
      const has = (await consumed()).length;
      await eventually(async () => (await consumed()).length >= has + count, `${count} more come`, patience);
    };
    await more(20);
    for (let round = 0; round < rounds; round += 1) {
      assert.ok((await second.put("moves", flow)).ok);
      await more(60);
      assert.ok((await second.api("/flows/moves", { method: "DELETE" })).ok);
      await more(40);
    }
    feeding = false;
    await feed;
    await eventually(async () => (await tester.lag(inbox, inbox)) === 0, "all is consumed", patience);
    const counted = countOf(produced, await consumed());
    process.stdout.write(
      `${protocol}: ${rounds} joins and leaves, ${produced.length} produced, ${JSON.stringify(counted)}\n`,
    );
    assert.deepEqual(counted, { lost: 0, doubled: 0 });
  });
