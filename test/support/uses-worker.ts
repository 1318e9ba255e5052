/**
 * A thread that takes uses of a session's first mock, and records of calls, as often as it can, and reports how many it
 * got.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ArmTask, Mock } from "../../src/shared/mock.ts";
import { Uses } from "../../src/workers/mocks/armed-session.ts";

const { task, begin, tries } = workerData as { task: ArmTask; begin: Int32Array; tries: number };
const uses = new Uses(task.words, task.set, task.mostRecorded);
const mock = task.set.mocks[0] as Mock;
Atomics.add(begin, 0, 1);
Atomics.notify(begin, 0);
Atomics.wait(begin, 1, 0);
let taken = 0;
let recorded = 0;
for (let i = 0; i < tries; i++) {
  if (uses.take(0, mock) !== undefined) taken += 1;
  uses.call(0);
  if (uses.mayRecord()) recorded += 1;
}
parentPort?.postMessage({ taken, recorded });
