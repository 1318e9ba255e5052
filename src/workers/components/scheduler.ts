/** The `scheduler` component (Camel: SchedulerConsumer, ScheduledPollConsumer). Control runs the clock. */
import { defineComponent } from "../engine/component.ts";
import { noErrors, noReply, overlaps } from "./cron-schedule.ts";

const shortestDelayMs = 10;
const noPools = "clocks share the runtime's: leave it out";
const noPolls = "it polls nothing, so that no tick is an idle one: leave it out";
const units = {
  NANOSECONDS: 1e-6,
  MICROSECONDS: 1e-3,
  MILLISECONDS: 1,
  SECONDS: 1000,
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000,
} as const;
type Unit = keyof typeof units;

export const scheduler = defineComponent({
  scheme: "scheduler",
  docs: "Runs the route again and again, each time so long after the end of the run before; with useFixedDelay=false at a fixed rate.",
  path: "name",
  options: (z, { text, duration, integer, flag, oneOf, only, refused }) =>
    z.object({
      name: text("The name of the clock, by which people know it."),
      initialDelay: duration("How long after the start of the flow it ticks first, in `timeUnit`.").default(1000),
      delay: duration(
        "The time between the end of a run and the next tick, in `timeUnit`; with `useFixedDelay: false` between two ticks.",
      ).default(500),
      timeUnit: oneOf(Object.keys(units) as Unit[], "The unit of `delay` and `initialDelay`.").default("MILLISECONDS"),
      useFixedDelay: flag(
        "Counts the time from the end of a run; with `false` from its beginning, at a fixed rate.",
      ).default(true),
      repeatCount: integer("How often it ticks; 0: without an end.").default(0),
      includeMetadata: flag("Sets headers and properties that say which tick it is, and when it was.").default(false),
      overlap: oneOf(
        overlaps,
        "What a tick at a fixed rate does that finds the run before under way: nothing (`skip`), wait for its end (`queue`), or run beside it (`allow`).",
      ).optional(),
      startScheduler: only(true, "write autoStartup: false at the route"),
      greedy: only(false, "the route would run without a pause: write a short delay"),
      sendEmptyMessageWhenIdle: refused(noPolls),
      backoffMultiplier: refused(noPolls),
      backoffIdleThreshold: refused(noPolls),
      backoffErrorThreshold: refused(noPolls),
      pollStrategy: refused(noPolls),
      poolSize: refused(noPools),
      scheduledExecutorService: refused(noPools),
      synchronous: refused(noPools),
      scheduler: refused("write cron:name?schedule=... in place of scheduler:name?scheduler=quartz"),
      schedulerProperties: refused("write cron:name?schedule=... in place of scheduler:name?scheduler=quartz"),
      runLoggingLevel: refused("the runtime logs runs by itself: leave it out"),
      exchangePattern: refused(noReply, "InOnly"),
      bridgeErrorHandler: refused(noErrors),
      exceptionHandler: refused(noErrors),
    }),
  example: `from:
  uri: scheduler:poll
  parameters: { delay: 30s, initialDelay: 5s }
  steps:
    - log:
        message: "again"`,
  once: true,
  consumer({ name, initialDelay, delay, timeUnit, useFixedDelay, repeatCount, includeMetadata, overlap }) {
    const periodMs = delay * units[timeUnit];
    const delayMs = initialDelay * units[timeUnit];
    if (!(periodMs >= shortestDelayMs))
      throw new Error(`delay is at least ${shortestDelayMs} ms, found ${periodMs} ms`);
    if (!(delayMs >= 0)) throw new Error("initialDelay is not negative");
    if (useFixedDelay && overlap !== undefined) {
      throw new Error("with useFixedDelay no run overlaps another: leave out overlap");
    }
    return {
      kind: "scheduler",
      name,
      periodMs,
      delayMs,
      repeatCount: Math.max(0, repeatCount),
      fixedRate: !useFixedDelay,
      includeMetadata,
      overlap: overlap ?? "skip",
    };
  },
});
