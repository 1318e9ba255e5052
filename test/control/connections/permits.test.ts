/** What threads claim of their connections counts only as far as they have places. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Permits } from "../../../src/control/connections/permits.ts";
import type { HeldByRun } from "../../../src/shared/connection.ts";
import { turn } from "../../support/clock.ts";

const use = { id: "shop", name: "shop", kinds: ["postgres"], routeId: "r", stepId: "s" };

function permitsOf(most: number) {
  const permits = new Permits({
    meant: (_flowId, { id }) => ({ key: id, name: id, most: () => most, secrets: async () => ({}) }),
    changed() {},
  });
  /** Asks as a run of a thread, and notes the answers. */
  return (thread: number, slot: number, held: HeldByRun = [], asker = { wanted(_yes: boolean) {} }) => {
    const answers: string[] = [];
    const permit = permits.ask(
      { flowId: `flow-${thread}`, manifest: { connections: [use] } },
      {
        ...{ connection: "shop", thread, slot, held, asker },
        grant: () => answers.push("granted"),
        refuse: (type) => answers.push(type),
      },
    );
    return { permit, answers };
  };
}

test("a thread that claims connections that it has not cannot have the requests of others refused", async () => {
  const ask = permitsOf(2);
  const first = ask(1, 0);
  const second = ask(2, 0);
  await turn();
  assert.deepEqual([first.answers, second.answers], [["granted"], ["granted"]]);
  // Thread 3 has none, whatever it says.
  const liar = ask(3, 0, [["shop", 2]]);
  const nested = ask(1, 0, [["shop", 1]]);
  await turn();
  assert.deepEqual([liar.answers, nested.answers], [[], []]);
  second.permit.closed(undefined);
  await turn();
  assert.deepEqual(nested.answers, ["granted"], "who has a connection comes first");
  assert.deepEqual(liar.answers, []);
});

test("runs that wait for each other are found over threads, and one of them gives way", async () => {
  const ask = permitsOf(2);
  const runs = [ask(1, 0), ask(2, 0)];
  await turn();
  const nested = [ask(1, 0, [["shop", 1]]), ask(2, 0, [["shop", 1]])];
  await turn();
  assert.deepEqual(
    nested.map(({ answers }) => answers),
    [[], ["LimitExceededException"]],
  );
  runs[1]?.permit.closed(undefined);
  await turn();
  assert.deepEqual(nested[0]?.answers, ["granted"]);
});

test("a thread whose own runs wait keeps its connections for them, and gives them back for those of others", async () => {
  const ask = permitsOf(1);
  const notified: boolean[] = [];
  const asker = { wanted: (yes: boolean) => void notified.push(yes) };
  ask(1, 0, [], asker);
  await turn();
  ask(1, 1, [], asker);
  await turn();
  assert.deepEqual(notified, []);
  const other = ask(2, 0);
  await turn();
  assert.deepEqual(notified, [true]);
  other.permit.closed(undefined);
  await turn();
  assert.deepEqual(notified, [true, false]);
});

test("a connection that the flow does not declare is no request that threads make", () => {
  const permits = new Permits({ meant: () => "none", changed() {} });
  const request = {
    connection: "other",
    thread: 1,
    slot: 0,
    held: [],
    asker: { wanted() {} },
    grant() {},
    refuse() {},
  };
  assert.throws(
    () => permits.ask({ flowId: "f", manifest: { connections: [use] } }, request),
    /asks for a connection that its flow does not have/,
  );
});
