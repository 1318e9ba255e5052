/** Several messages of a subscription under way at once, with a real broker: their order, and what runs again behind a message that it refuses. */
import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../support/clock.ts";
import { failedList } from "../../support/failed-messages.ts";
import { startMqttApp, brokerTest as test } from "./mqtt-app.ts";
import { listen, prepareSession, publish } from "./test-client.ts";

const patience = 60_000;
const count = 400;
/** The message that the broker refuses, since nobody may publish where it goes. */
const refusedAt = 200;
const all = Array.from({ length: count }, (_, number) => number).filter((number) => number !== refusedAt);

test("a window of messages: each arrives in its order, and behind a refused one all run again", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-acl-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // The broker has a user of its own.
  await chmod(folder, 0o755);
  const rules = join(folder, "acl");
  await writeFile(rules, "user test\ntopic readwrite wide/#\ntopic readwrite narrow/#\n", { mode: 0o644 });
  const { app, broker } = await startMqttApp(t, {}, [`acl_file ${rules}`]);

  /** Resolves with the numbers that arrive, and with how many runs were withdrawn. */
  const moved = async (id: string, options: string) => {
    await prepareSession(broker, id, `${id}/in`, 1);
    const out = await listen(broker, `${id}/out`);
    t.after(() => out.client.end(true));
    const refused = `{ filter: { simple: "\${body} startsWith '${refusedAt} '", steps: [{ setHeader: { name: CamelPahoMqtt5OverrideTopic, constant: forbidden/x } }] } }`;
    const to = `{ to: "paho-mqtt5:${id}/out?qos=1" }`;
    const from = `{ uri: "paho-mqtt5:${id}/in", parameters: { qos: 1, clientId: ${id}, cleanStart: false${options} }, steps: [${refused}, ${to}] }`;
    const answer = await app.put(id, `- route: { id: ${id}, from: ${from} }\n`);
    assert.ok(answer.ok, await answer.text());
    await publish(
      broker,
      Array.from({ length: count }, (_, number) => [`${id}/in`, `${number} of a burst`] as const),
    );
    await eventually(
      () => out.heard.some(({ text }) => text.startsWith(`${count - 1} `)),
      "the last arrives",
      patience,
    );
    const runs = (await (await app.api(`/runs?flowId=${id}&status=cancelled&limit=100`)).json()) as unknown[];
    return { numbers: out.heard.map(({ text }) => Number(text.split(" ")[0])), withdrawn: runs.length };
  };

  await t.test("with a window", async () => {
    const { numbers, withdrawn } = await moved("wide", "");
    // The broker ends the connection. The first message that waits for its confirmation then fails, too: it may not have arrived.
    const arrived = [...new Set(numbers)];
    const failed = (await failedList(app, "?state=waiting")).length;
    assert.ok(
      failed >= 1 && failed <= 2 && arrived.length >= all.length - failed + 1,
      `${failed} have failed, ${arrived.length} arrive`,
    );
    assert.deepEqual(
      arrived,
      all.filter((number) => arrived.includes(number)),
    );
    const doubled = numbers.length - arrived.length;
    assert.ok(doubled >= 0 && doubled < 32, `${doubled} were doubled`);
    assert.ok(doubled <= withdrawn, `${doubled} were doubled, and ${withdrawn} runs withdrawn`);
  });

  await t.test("with window 1 nothing comes twice", async () => {
    const { numbers, withdrawn } = await moved("narrow", ", window: 1");
    assert.deepEqual(numbers, all);
    assert.equal(withdrawn, 0);
  });
});
