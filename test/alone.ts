/** Test files that need a process of their own, and why. The others run a dozen to a process. */
export const alone: Readonly<Record<string, string>> = {
  "test/control/worker-reach.test.ts": "watches what a hostile thread can change of its process",
  "test/control/worker-check.test.ts": "watches what a hostile thread can change of its process",
  "test/control/worker-frames.test.ts": "hears everything that is written to the standard streams",
  "test/control/webhooks-limits.test.ts": "compares the memory of the process",
  "test/workers/bounds.test.ts": "compares the memory of the process",
  "test/workers/hostile-flows.test.ts": "compares the memory of the process",
  "test/workers/engine/waiting.test.ts":
    "counts the objects of the whole process, which takes minutes where there are many",
  "test/workers/languages/languages.test.ts": "asks what has been loaded so far",
};
