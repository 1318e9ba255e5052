/** Changes under load: the server goes away and comes back, the flow is replaced, a backlog waits. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { monotonicMs } from "../../../support/clock.ts";
import { type Case, metric, type SuiteCase, texts, until } from "../case.ts";
import type { Feeder } from "../feeder.ts";
import { rollBack } from "../roll-back.ts";
import { allArrive, consumesMore, feed } from "../under-load.ts";

/** How often the runtime tries to connect before the server is back. */
const attemptsWhileAway = 6;

/** Makes a change while a message is under way, whose run ends behind the change. */
async function withMessageUnderWay(all: Case, change: () => Promise<Response>): Promise<void> {
  const end = Promise.withResolvers<"go">();
  let isUnderWay = false;
  all.decide(() => {
    if (isUnderWay) return "go";
    isUnderWay = true;
    return end.promise;
  });
  try {
    await until("a message is under way", () => isUnderWay);
    const answer = await change();
    assert.ok(answer.ok, await answer.text());
  } finally {
    end.resolve("go");
  }
}

/** Changes the flow under load, again and again. */
async function changed(
  all: Case,
  t: TestContext,
  change: (id: string, yaml: string, round: number) => Promise<Response>,
): Promise<void> {
  const { id, yaml } = await all.deploy();
  const feeder = feed(all, t);
  await consumesMore(all, 50);
  for (let round = 1; round <= all.changes; round++) {
    await withMessageUnderWay(all, () => change(id, yaml, round));
    await consumesMore(all, 30);
  }
  await allArrive(all, feeder, 0);
  await assertOrder(all, feeder);
}

/** The old deployment gives back what it does not run: that keeps its place ahead of what the next one takes. */
async function assertOrder({ rig }: Case, { acknowledged }: Feeder): Promise<void> {
  // The flow of the case before may have ended a run meanwhile.
  const own = new Set(acknowledged);
  const order = [...new Set(await rig.consumed())].filter((text) => own.has(text));
  assert.deepEqual(order, acknowledged);
}

export const loadCases: readonly SuiteCase[] = [
  {
    name: "the server goes away under load until it was tried six times, and all arrive; that is reported once",
    needs: "server",
    isSmoke: true,
    async run(all, t) {
      const { rig, server, app, note } = all;
      const { id } = await all.deploy();
      const feeder = feed(all, t);
      await consumesMore(all, 50);
      const attempts = (): Promise<number> => metric(app, "bulkhead_connection_errors_total", `"${rig.connection}"`);
      const before = await attempts();
      await server.stop();
      let isAway = true;
      t.after(() => (isAway ? server.restart() : undefined));
      const reports = (): number => app.logs.filter(({ message }) => message.includes(`'${id}' cannot poll`)).length;
      await until("it is reported", () => reports() > 0);
      const began = monotonicMs();
      await until("it is tried again and again", async () => (await attempts()) - before >= attemptsWhileAway);
      const tried = (await attempts()) - before;
      const seconds = (monotonicMs() - began) / 1000;
      isAway = false;
      await server.restart();
      await consumesMore(all, 100);
      // What was under way, and one whose acknowledgement was cut off.
      await allArrive(all, feeder, all.window + 1);
      note({ note: `${tried} attempts to connect in ${seconds.toFixed(1)} s` });
      // Another line comes when the cause changes: a connection that ends, and one that is refused.
      assert.ok(reports() <= 3, `${reports()} lines`);
    },
  },
  {
    name: "the runtime's process for the connection is killed again and again under load, and all arrive; each time is reported once",
    needs: "process",
    isSmoke: true,
    async run(all, t) {
      const { app, process, note, changes } = all;
      const before = app.logs.length;
      await all.deploy();
      const feeder = feed(all, t);
      await consumesMore(all, 50);
      for (let round = 1; round <= changes; round++) {
        await process.kill(app);
        await consumesMore(all, 30);
      }
      // At each of them what was under way.
      await allArrive(all, feeder, changes * all.window);
      const reports = app.logs.slice(before).filter(({ message }) => process.reported.test(message));
      assert.equal(reports.length, changes);
      note({ note: `killed ${changes} times` });
    },
  },
  {
    name: "5000 wait before a slow flow, 40 MB in all, and its memory stays within 32 MiB of that without a backlog",
    question: "window",
    async run({ rig, app, deploy, decide, note }) {
      const heap = async (id: string): Promise<number> => metric(app, "bulkhead_heap_bytes", `"${id}"`);
      let taken = 0;
      decide(() => {
        taken += 1;
        return "go";
      });
      const { id } = await deploy({ before: "{ delay: { constant: 50 } },", asked: "more" });
      await rig.produce(["first", "second"]);
      await until("it runs", async () => taken >= 2 && (await heap(id)) > 0);
      const before = await heap(id);
      const waiting = texts(5000).map((text) => `${text} ${"x".repeat(8000)}`);
      for (let from = 0; from < waiting.length; from += 100) await rig.produce(waiting.slice(from, from + 100));
      const takenBefore = taken;
      let most = 0;
      await until("it is at work", async () => {
        most = Math.max(most, await heap(id));
        return taken > takenBefore + 50;
      });
      const more = (most - before) / 1024 / 1024;
      note({ note: `${more.toFixed(1)} MiB more` });
      assert.ok(more < 32, `${more} MiB more`);
    },
  },
  {
    name: "the flow is deployed again and again under load, and nothing is lost or out of order",
    isSmoke: true,
    run: (all, t) => changed(all, t, (id, yaml, round) => all.app.put(id, `${yaml}\n# ${round}`)),
  },
  {
    name: "the flow is rolled back again and again under load, and nothing is lost or out of order",
    // It is a deployment, which each connector tries.
    question: "runtime",
    async run(all, t) {
      await changed(all, t, async (id, yaml, round) => {
        if (round === 1) return all.app.put(id, `${yaml}\n# other`);
        return rollBack(all.app, id);
      });
    },
  },
];
