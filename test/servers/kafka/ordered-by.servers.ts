/** Records of a partition that run at the same time, with a real broker: those with one key, or one value of a header, keep their order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { missing } from "../missing.ts";
import { startKafkaApp, startKafkaFor } from "./kafka-app.ts";

const patience = 60_000;
/** Of each of two keys; together fewer than the window. */
const count = 15;

test("with orderedBy a slow record holds back those with its key alone", { skip: missing("Kafka") }, async (t) => {
  const { server, tester } = await startKafkaFor(t);
  const asked: string[] = [];
  const held = Promise.withResolvers<void>();
  const decider = await startHttpServer(t, (request, response) => {
    const name = request.url?.slice(1) ?? "";
    asked.push(name);
    if (name === "a0") void held.promise.then(() => response.end());
    else response.end();
  });
  const app = await startKafkaApp(t, server, { egressAllow: decider.host });
  const deploy = async (id: string, orderedBy: string, more = ""): Promise<Response> => {
    const parameters = `{ groupId: ${id}, autoOffsetReset: earliest, orderedBy: ${orderedBy}${more} }`;
    const from = `{ uri: "kafka:${id}-in", parameters: ${parameters}, steps: [{ toD: "${decider.url}/\${body}" }] }`;
    return await app.put(id, `- route: { id: ${id}, from: ${from} }\n`);
  };

  await t.test("keys and headers", async () => {
    for (const [id, orderedBy] of [
      ["keyed", "key"],
      ["tenants", "header.tenant"],
    ] as const) {
      asked.length = 0;
      await tester.create(`${id}-in`);
      const records = Array.from({ length: 2 * count }, (_, at) => {
        const [key, value] = at % 2 === 0 ? ["a", `a${at / 2}`] : ["b", `b${(at - 1) / 2}`];
        return { value, ...(id === "keyed" ? { key } : { headers: { tenant: key } }) };
      });
      await tester.send(`${id}-in`, records);
      const answer = await deploy(id, orderedBy);
      assert.ok(answer.ok, await answer.text());
      const of = (key: string): readonly string[] => asked.filter((name) => name.startsWith(key));
      const all = (key: string): readonly string[] => Array.from({ length: count }, (_, at) => `${key}${at}`);
      if (id === "keyed") {
        await eventually(() => of("b").length === count, "all of the other key have run", patience);
        assert.deepEqual(of("a"), ["a0"]);
        // A loss now must not lose the first one.
        assert.equal(await tester.lag(`${id}-in`, id), 2 * count);
        held.resolve();
      }
      await eventually(async () => (await tester.lag(`${id}-in`, id)) === 0, "all is committed", patience);
      assert.deepEqual([of("a"), of("b")], [all("a"), all("b")]);
    }
  });

  await t.test("what contradicts it is refused", async () => {
    for (const [orderedBy, more, expected] of [
      ["value", "", /orderedBy is 'key', or 'header\.' with the name of a header, and not 'value'/],
      ["header.", "", /orderedBy is 'key'/],
      ["key", ", batching: true", /orderedBy is not possible with batching or breakOnFirstError/],
      ["key", ", window: 1", /orderedBy needs a window above 1/],
    ] as const) {
      const answer = await deploy("refused", orderedBy, more);
      assert.equal(answer.status, 422);
      assert.match(await answer.text(), expected);
    }
  });
});
