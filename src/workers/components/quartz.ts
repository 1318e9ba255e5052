/** The `quartz` component (Camel: QuartzEndpoint). Control runs the clock. */
import type { Trigger } from "../../shared/manifest.ts";
import { defineComponent } from "../engine/component.ts";
import { cronTrigger, noErrors, noReply, overlaps } from "./cron-schedule.ts";

const shortestPeriodMs = 10;
const noJobs = "there is no store of jobs: a route's clock lives and ends with it: leave it out";

export const quartz = defineComponent({
  scheme: "quartz",
  docs: "Runs the route at the times of a Quartz cron expression, or without one each trigger.repeatInterval; the day of the week 1 is Sunday.",
  path: "triggerName",
  options: (z, { text, flag, duration, integer, oneOf, only, refused }) =>
    z.object({
      triggerName: text("The trigger's name, or group/name."),
      cron: text(
        "When it ticks, in six fields from the seconds on, or seven with a year: `0 0 9 ? * MON`. In a URI `+` is a space.",
      ).optional(),
      "trigger.timeZone": text(
        "The time zone of the schedule, such as Europe/Berlin; by default the runtime's.",
      ).optional(),
      "trigger.repeatInterval": duration(
        "The time between two ticks, when there is no `cron`; one second by default.",
      ).optional(),
      "trigger.repeatCount": integer(
        "How often it ticks after the first time; -1, the default: without an end.",
      ).optional(),
      triggerStartDelay: duration("How long after the start of the flow it may tick first.").default(500),
      ignoreExpiredNextFireTime: flag(
        "Takes a schedule all of whose times are over: the route then never runs; without this the flow is refused.",
      ).default(false),
      overlap: oneOf(
        overlaps,
        "What a tick does that finds the run before under way: nothing (`skip`), wait for its end (`queue`), or run beside it (`allow`).",
      ).default("skip"),
      "trigger.startAt": refused("write triggerStartDelay"),
      "trigger.endAt": refused("name the years in the cron expression's seventh field"),
      stateful: only(false, "say with overlap what a tick does that finds the one before still running"),
      deleteJob: only(true, noJobs),
      pauseJob: only(false, noJobs),
      durableJob: only(false, noJobs),
      recoverableJob: only(false, noJobs),
      prefixJobNameWithEndpointId: refused(noJobs),
      usingFixedCamelContextName: refused(noJobs),
      autoStartScheduler: only(true, "write autoStartup: false at the route"),
      startDelayedSeconds: refused("write triggerStartDelay"),
      customCalendar: refused("there are no calendar beans: name the days in the cron expression"),
      exchangePattern: refused(noReply, "InOnly"),
      bridgeErrorHandler: refused(noErrors),
      exceptionHandler: refused(noErrors),
    }),
  example: `from:
  uri: quartz:reports/weekly
  parameters: { cron: "0 0 9 ? * MON", trigger.timeZone: Europe/Stockholm }
  steps:
    - log:
        message: "Monday, nine o'clock"`,
  once: true,
  consumer(options): Trigger {
    const [group, name] = namesOf(options.triggerName);
    const { cron, overlap, triggerStartDelay } = options;
    const delayMs = Math.max(0, triggerStartDelay);
    const [periodMs, repeatCount] = [options["trigger.repeatInterval"], options["trigger.repeatCount"]];
    if (cron !== undefined) {
      if (periodMs !== undefined || repeatCount !== undefined) {
        throw new Error("a cron expression says when: leave out trigger.repeatInterval and trigger.repeatCount");
      }
      const fixed = { timeZone: options["trigger.timeZone"], fiveFields: false };
      const mayNeverTick = options.ignoreExpiredNextFireTime;
      return cronTrigger({ ...fixed, group, name, text: cron, delayMs, overlap, mayNeverTick });
    }
    if (options["trigger.timeZone"] !== undefined) throw new Error("trigger.timeZone needs cron");
    if (periodMs !== undefined && !(periodMs >= shortestPeriodMs)) {
      throw new Error(`trigger.repeatInterval is at least ${shortestPeriodMs} ms`);
    }
    const ticks = repeatCount === undefined || repeatCount < 0 ? 0 : repeatCount + 1;
    const schedule = { periodMs: periodMs ?? 1000, repeatCount: ticks };
    return { kind: "quartz", group, name, delayMs, schedule, overlap };
  },
});

/** A name without a group is in the group Camel. */
function namesOf(path: string): [group: string, name: string] {
  const slash = path.indexOf("/");
  const [group, name] = slash < 0 ? ["Camel", path] : [path.slice(0, slash), path.slice(slash + 1)];
  if (group === "" || name === "" || name.includes("/")) throw new Error("write quartz:name or quartz:group/name");
  return [group, name];
}
