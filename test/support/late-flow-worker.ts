/** The product's flow thread, once it may boot: see `hold-threads.ts`. */
import { getEnvironmentData } from "node:worker_threads";

export { attach } from "../../src/workers/flow-worker.ts";

const held = new Int32Array(getEnvironmentData("held threads") as SharedArrayBuffer);
if (Atomics.sub(held, 0, 1) > 0) Atomics.wait(held, 1, 0);
