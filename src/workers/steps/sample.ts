/** The `sample` step (Camel: SamplingThrottler). */
import { defineStep } from "../engine/step.ts";

export const sample = defineStep({
  name: "sample",
  docs: "Lets one message of each period, or every so many-th message, go on; the route ends for the others.",
  short: "samplePeriod",
  options: (z, { duration, integer }) =>
    z.object({
      samplePeriod: duration("How long after a message that went on the others are held back.")
        .refine((ms) => ms > 0, "samplePeriod is at least 1 ms")
        .default(1000),
      messageFrequency: integer(
        "Lets every so many-th message go on, whatever the time: 10 is one of ten. It comes before `samplePeriod`.",
      )
        .refine((count) => count > 0, "messageFrequency is at least 1")
        .optional(),
    }),
  example: "sample: { messageFrequency: 1 }",
  stateful: true,
  compile({ samplePeriod, messageFrequency }) {
    let messages = 0;
    let nextAt = Number.NEGATIVE_INFINITY;
    return (exchange) => {
      if (messageFrequency !== undefined) {
        messages = (messages + 1) % messageFrequency;
        if (messages !== 0) exchange.stopped = true;
        return;
      }
      const now = performance.now();
      if (now < nextAt) exchange.stopped = true;
      else nextAt = now + samplePeriod;
    };
  },
});
