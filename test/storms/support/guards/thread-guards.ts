/** Guards between a flow's thread and everybody else. */
import type { Guard } from "./guard.ts";

export const threadGuards: readonly Guard[] = [
  {
    name: "a thread that posts in a loop is cut off",
    file: "src/control/flows/flow-thread.ts",
    from: "if (this.#messagesThisTurn > this.#owner.limits.floodMessages) {",
    to: "if (this.#messagesThisTurn > 1e9) {",
    suite: ["test/control/threads.test.ts", "test/control/worker-frames.test.ts"],
  },
  {
    name: "events need credits",
    file: "src/workers/line.ts",
    from: "if (Atomics.load(this.#words, Word.credits) <= 0) return false;",
    to: "",
    suite: ["test/control/streams/credits.test.ts"],
  },
  {
    name: "a thread's environment is empty",
    file: "src/control/flows/thread-flags.ts",
    from: "env: coverage === undefined ? {} :",
    to: "env: coverage === undefined ? (process.env as Record<string, string>) :",
    suite: ["test/control/threads.test.ts", "test/control/worker-reach.test.ts"],
  },
  {
    name: "a thread has Node's permissions",
    file: "src/control/flows/thread-flags.ts",
    from: '      "--permission",\n',
    to: "",
    suite: ["test/control/worker-reach.test.ts"],
  },
  {
    name: "a thread gives up what it does not need",
    file: "src/workers/renounce.ts",
    from: "      if (isRefused(specifier)) throw denied(specifier);\n      return next",
    to: "      return next",
    suite: ["test/control/worker-reach.test.ts"],
  },
  {
    name: "a thread's sockets are its own",
    file: "src/workers/renounce.ts",
    from: 'if (typeof target === "number" && !own.has(target)) {',
    to: 'if (typeof target === "number" && target < 0) {',
    suite: ["test/control/worker-reach.test.ts"],
  },
  {
    name: "a flow that keeps losing threads rests",
    file: "src/control/flows/quarantine.ts",
    from: "if (this.#kills.length < this.#limits.quarantineKills && !onTrial) return undefined;",
    to: "if (this.#kills.length < 1e9) return undefined;",
    suite: ["test/control/threads.test.ts"],
  },
  {
    name: "a queue has an end",
    file: "src/control/flows/run-queue.ts",
    from: "if (queue.length >= this.#limits.queue) return false;",
    to: "",
    suite: ["test/control/webhooks-limits.test.ts", "test/control/flow-pool.test.ts", "test/control/webhooks.test.ts"],
  },
];
