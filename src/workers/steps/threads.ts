/** The `threads` step (Camel: ThreadsProcessor), which hands a message over to a thread pool. */
import { defineStep } from "../engine/step.ts";

const noPool = "a flow has threads of its own in place of pools: its limit `threads` gives it more of them";
const neverRejected = "no message is rejected here: use `throttle` with `rejectExecution`";

export const threads = defineStep({
  name: "threads",
  docs: "Gives other runs of the thread their turn, and goes on then. There are no pools: the flow's own threads do the work, and the caller or the consumer still hears of the message when its route is at its end.",
  options: (z, { integer, duration, text, flag, oneOf, only, idle, refused }) =>
    z.object({
      poolSize: idle(integer, noPool),
      maxPoolSize: idle(integer, noPool),
      keepAliveTime: idle(duration, noPool),
      timeUnit: idle(
        (words) => oneOf(["NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"], words),
        noPool,
      ),
      allowCoreThreadTimeOut: idle(flag, noPool),
      threadName: idle(text, "the threads of a flow have numbers: see `worker` in the record of a run"),
      maxQueueSize: idle(integer, "what waits is bounded by the flow's limits of runs: see GET /_api/limits"),
      rejectedPolicy: idle(
        (words) => oneOf(["Abort", "CallerRuns", "Block"], words).refine((policy) => policy !== "Abort", neverRejected),
        "no message is rejected here",
      ),
      callerRunsWhenRejected: only(true, neverRejected),
      executorService: refused(`${noPool}. Leave it out`),
    }),
  example: "threads: {}",
  compile() {
    return () => new Promise((resolve) => setImmediate(resolve));
  },
});
