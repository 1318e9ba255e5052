/** Uses of mocks, taken by threads at the same time. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { MockWord } from "../../../src/shared/mock.ts";
import { aSession } from "../../support/mock-session.ts";

const threads = 3;
const tries = 1_000_000;

test("threads that take uses at once have no more of them than there are, and none is lost", async () => {
  const {
    calls,
    uses,
    close: _close,
    ...task
  } = aSession([{ uri: "mock:x", respond: { body: 1 }, times: 1_500_000 }], {
    mostRecorded: 1_200_000,
  });
  const begin = new Int32Array(new SharedArrayBuffer(8));
  const workers = Array.from({ length: threads }, () => {
    return new Worker(new URL("../../support/uses-worker.ts", import.meta.url), { workerData: { task, begin, tries } });
  });
  const counts = Promise.all(workers.map(async (worker) => (await once(worker, "message"))[0]));
  for (let ready = 0; ready < threads; ready = Atomics.load(begin, 0)) {
    const changed = Atomics.waitAsync(begin, 0, ready);
    if (changed.async) await changed.value;
  }
  Atomics.store(begin, 1, 1);
  Atomics.notify(begin, 1);
  const sum = (await counts).reduce((a, b) => ({ taken: a.taken + b.taken, recorded: a.recorded + b.recorded }));
  assert.deepEqual(sum, { taken: 1_500_000, recorded: 1_200_000 });
  const words = new Int32Array(task.words);
  assert.deepEqual([uses(), calls(), words[MockWord.sequence]], [[1_500_000], [threads * tries], threads * tries]);
});
