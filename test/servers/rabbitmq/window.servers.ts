/** Several messages of a consumer under way at once, with a real server: their order, and what comes twice when the server refuses one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { startRabbitApp } from "./rabbit-flow.ts";

const patience = 60_000;
const count = 400;
/** The message that names an exchange which does not exist: what the server refuses closes the channel. */
const refusedAt = 200;

test("a window of messages: each arrives in its order, and a refused send fails none but its own", {
  skip: missing("RabbitMQ"),
}, async (t) => {
  const { app, broker, consumer, remove } = await startRabbitApp(t);
  const all = Array.from({ length: count }, (_, number) => number);
  const others = all.filter((number) => number !== refusedAt);

  /** Resolves with the numbers that arrive, how many runs were withdrawn, and how many have failed. */
  const moved = async (id: string, options: string, steps: string, own: Readonly<Record<string, unknown>> = {}) => {
    await broker.declare(`${id}-in`, own);
    await broker.declare(`${id}-out`);
    const queueArguments = Object.entries(own).map(([name, value]) => `, arg.queue.${name}: ${value}`);
    const body = (number: number): string => String(number).padStart(4, "0");
    await broker.send(...all.map((number) => ({ routingKey: `${id}-in`, body: body(number) })));
    const from = `uri: "spring-rabbitmq:default", parameters: { queues: ${id}-in, retryDelay: 10${options}${queueArguments.join("")} }`;
    await consumer(id, from, steps);
    const failed = async (): Promise<number> =>
      ((await (await app.api(`/failed?flowId=${id}`)).json()) as unknown[]).length;
    const numbers: number[] = [];
    const haveAllArrived = async (): Promise<boolean> => {
      numbers.push(...(await broker.takeAll(`${id}-out`)).map((message) => Number(message.body)));
      return new Set(numbers).size === others.length && (await failed()) === 1;
    };
    await eventually(haveAllArrived, "all have arrived", patience);
    await remove(id);
    assert.equal(await broker.ready(`${id}-in`), 0);
    const runs = (await (await app.api(`/runs?flowId=${id}&status=cancelled&limit=100`)).json()) as unknown[];
    return { numbers, withdrawn: runs.length };
  };
  const override = `{ setHeader: { name: CamelSpringRabbitmqExchangeOverrideName, constant: nowhere } }`;
  const refuse = `{ filter: { simple: "\${body} == '${String(refusedAt).padStart(4, "0")}'", steps: [${override}] } }`;
  const to = (id: string): string => `${refuse}, { to: "spring-rabbitmq:default?routingKey=${id}-out" }`;

  for (const [id, options, own] of [
    ["once", ", maximumRetryAttempts: 1", {}],
    ["tried", ", maximumRetryAttempts: 3", {}],
    ["quorum", "", { "x-queue-type": "quorum" }],
  ] as const)
    await t.test(`with a window: ${id}`, async () => {
      const { numbers, withdrawn } = await moved(id, options, to(id), own);
      assert.deepEqual([...new Set(numbers)], others);
      const doubled = numbers.length - others.length;
      // Those ahead of it that were not confirmed, and those behind it that ran before its run had ended.
      assert.ok(doubled >= 0 && doubled < 64, `${doubled} were doubled`);
      assert.ok(withdrawn < 32, `${withdrawn} runs were withdrawn`);
    });

  await t.test("with window 1, several consumers or a doTry, nothing comes twice", async () => {
    const narrow = await moved("narrow", ", window: 1, maximumRetryAttempts: 2", to("narrow"));
    assert.deepEqual(narrow, { numbers: others, withdrawn: 0 });
    const several = await moved("several", ", concurrentConsumers: 3, maximumRetryAttempts: 1", to("several"));
    assert.deepEqual(
      [...several.numbers].sort((a, b) => a - b),
      others,
    );
    const caught = `{ doTry: { steps: [${to("caught")}], doFinally: { steps: [{ log: "\${body}" }] } } }`;
    const tried = await moved("caught", ", maximumRetryAttempts: 1", caught);
    assert.deepEqual(tried, { numbers: others, withdrawn: 0 });
  });

  await t.test("of large messages each comes alone, in its order", async () => {
    await broker.declare("large-in");
    await broker.declare("large-out");
    const large = "x".repeat(900_000);
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    for (const number of numbers) await broker.send({ routingKey: "large-in", body: `${number} ${large}` });
    const from = `uri: "spring-rabbitmq:default", parameters: { queues: large-in }`;
    await consumer("large", from, `{ to: "spring-rabbitmq:default?routingKey=large-out" }`);
    await eventually(async () => (await broker.ready("large-out")) === numbers.length, "all have arrived", patience);
    const arrived = (await broker.takeAll("large-out")).map(({ body }) => Number(body.split(" ")[0]));
    assert.deepEqual(arrived, numbers);
    assert.ok(app.logs.some(({ message }) => message.includes("more than 8 MiB together")));
  });
});
