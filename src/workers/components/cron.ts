/** The `cron` component (Camel: CronComponent over camel-quartz). Control runs the clock. */
import { defineComponent } from "../engine/component.ts";
import { cronTrigger, noErrors, noReply, overlaps } from "./cron-schedule.ts";

export const cron = defineComponent({
  scheme: "cron",
  docs: "Runs the route at the times of a cron schedule: 5 fields from the minutes on, 6 from the seconds on, 7 with a year; the day of the week 1 is Sunday.",
  path: "name",
  options: (z, { text, oneOf, refused }) =>
    z.object({
      name: text("The name of the trigger, by which people know it."),
      schedule: text(
        "When it ticks, in five fields from the minutes on, or with seconds before them: `0 30 2 * * ?` is half past two each night. In a URI `+` is a space.",
      ),
      overlap: oneOf(
        overlaps,
        "What a tick does that finds the run before under way: nothing (`skip`), wait for its end (`queue`), or run beside it (`allow`).",
      ).default("skip"),
      exchangePattern: refused(noReply, "InOnly"),
      bridgeErrorHandler: refused(noErrors),
      exceptionHandler: refused(noErrors),
    }),
  example: `from:
  uri: cron:nightly
  parameters: { schedule: "0 30 2 * * ?" }
  steps:
    - log:
        message: "half past two"`,
  once: true,
  consumer({ name, schedule, overlap }) {
    const fixed = { group: "Camel", delayMs: 0, mayNeverTick: false, fiveFields: true };
    return cronTrigger({ ...fixed, name, text: schedule, overlap });
  },
});
