/** The `timer` component (Camel: TimerEndpoint 4.22). Control runs the clock. */
import { defineComponent } from "../engine/component.ts";

const shortestPeriodMs = 10;
const ownClock = "timers share the runtime's clock: leave it out";

export const timer = defineComponent({
  scheme: "timer",
  docs: "Runs the route again and again, with a null body; a tick that finds the previous one running is skipped.",
  path: "timerName",
  options: (z, { text, duration, integer, flag, oneOf, refused }) =>
    z.object({
      timerName: text("The timer's name, which stands behind `timer:`.").optional(),
      name: text("The timer's name as a parameter, for those who write `uri: timer`.").optional(),
      period: duration("The time between two ticks, at least 10 ms.").default(1000),
      delay: duration("How long after the start of the flow it ticks first; 0: at once.").default(1000),
      repeatCount: integer("How often it ticks; 0: without an end.").default(0),
      fixedRate: flag("Keeps to the beat of the first tick; without this a late tick moves those behind it.").default(
        false,
      ),
      includeMetadata: flag("Sets headers and properties that say which tick it is, and when it was.").default(false),
      overlap: oneOf(
        ["skip", "queue", "allow"],
        "What a tick does that finds the run before under way: nothing (`skip`), wait for its end (`queue`), or run beside it (`allow`).",
      ).default("skip"),
      time: refused("a first tick at a point in time is not possible yet: use delay"),
      pattern: refused("a first tick at a point in time is not possible yet: use delay"),
      daemon: refused(ownClock),
      timer: refused(ownClock),
      synchronous: refused(ownClock),
      runLoggingLevel: refused("the runtime logs runs by itself: leave it out"),
      exchangePattern: refused("nobody waits for a timer's reply: leave it out", "InOnly"),
      bridgeErrorHandler: refused("a timer has no errors of its own: leave it out"),
      exceptionHandler: refused("a timer has no errors of its own: leave it out"),
    }),
  example: `from:
  uri: timer:tick
  parameters: { period: 5s, repeatCount: 3 }
  steps:
    - log:
        message: "tick"`,
  once: true,
  consumer({ timerName, name, period, delay, repeatCount, fixedRate, includeMetadata, overlap }) {
    if (timerName !== undefined && name !== undefined && timerName !== name) {
      throw new Error(`the timer has two names, '${timerName}' and '${name}': leave out 'name'`);
    }
    const timerNameOrAlias = timerName ?? name;
    if (timerNameOrAlias === undefined) throw new Error("a timer needs a name: 'timer:tick'");
    if (!(period >= shortestPeriodMs)) {
      throw new Error(`period is ${period} ms: a timer's period is at least ${shortestPeriodMs} ms`);
    }
    if (!(delay >= 0))
      throw new Error(`delay is ${delay} ms: a timer's delay is not negative (to tick at once, write delay=0)`);
    return {
      kind: "timer",
      name: timerNameOrAlias,
      periodMs: period,
      delayMs: delay,
      repeatCount: Math.max(0, repeatCount),
      fixedRate,
      includeMetadata,
      overlap,
    };
  },
});
