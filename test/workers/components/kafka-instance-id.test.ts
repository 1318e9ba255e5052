/** The id by which a group of Kafka knows a consumer: it lasts, and that of an older runtime goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateKey } from "../../../src/shared/state.ts";
import { InstanceId } from "../../../src/workers/components/kafka/instance-id.ts";
import type { SourceContext } from "../../../src/workers/engine/source.ts";
import { type ValuesOnly, valuesOnly } from "../../support/state/values-only.ts";

/** The id as a thread gets it that has not asked for it before. */
function idOf({ port }: ValuesOnly): Promise<string> {
  return new InstanceId({ flowId: "f", routeId: "r", state: () => port } as unknown as SourceContext).get();
}

/** Keeps an id as older runtimes did: a key for each bit that is set, and one behind them. */
function keepOlder(keys: Map<string, string>, id: number): void {
  for (let bit = 0; bit < 32; bit += 1) if (Math.floor(id / 2 ** bit) % 2 === 1) keys.set(stateKey(`bit ${bit}`), "");
  keys.set(stateKey("the id is made"), "");
}

test("an id is made once, and is one value", async () => {
  const store = valuesOnly();
  const id = await idOf(store);
  assert.match(id, /^bulkhead-f-r-[0-9a-f]{8}$/);
  assert.equal(await idOf(store), id);
  assert.deepEqual([...store.keys], [[stateKey("id"), id.slice(-8)]]);
  assert.equal(store.state.writes, 1);
  assert.notEqual(await idOf(valuesOnly()), id);
});

test("two threads that make one at once agree", async () => {
  const store = valuesOnly();
  const [one, other] = await Promise.all([idOf(store), idOf(store)]);
  assert.equal(one, other);
});

test("the id of an older runtime goes on, and nothing else of it is left", async () => {
  for (const number of [0, 1, 0x0badf00d, 0x80000001, 0xffffffff]) {
    const store = valuesOnly();
    keepOlder(store.keys, number);
    assert.equal(await idOf(store), `bulkhead-f-r-${number.toString(16).padStart(8, "0")}`);
    assert.deepEqual([...store.keys.keys()], [stateKey("id")]);
  }
});

test("wherever a loss ends the move, the id is the same behind it", async () => {
  const number = 0x0badf00d;
  const writes = 34;
  for (let most = 0; most <= writes; most += 1) {
    const store = valuesOnly();
    keepOlder(store.keys, number);
    const { port, state } = store;
    const lost = (): Promise<never> => Promise.reject(new Error("lost"));
    const losing: ValuesOnly = {
      ...store,
      port: {
        ...port,
        putIf: (...of) => (state.writes < most ? port.putIf(...of) : lost()),
        delete: (...of) => (state.writes < most ? port.delete(...of) : lost()),
      },
    };
    await idOf(losing).catch(() => {});
    assert.equal(await idOf(store), "bulkhead-f-r-0badf00d", `${most} writes`);
    assert.equal(await idOf(store), "bulkhead-f-r-0badf00d");
    assert.deepEqual([...store.keys.keys()], [stateKey("id")]);
  }
});
