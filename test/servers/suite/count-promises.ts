/** A component that counts the promises that are left in the thread of its flow. */
// As an import: a bundle runs this module when the thread has given up the right to it (scripts/bundle-suite.ts).
import { queryObjects } from "node:v8";
import { defineComponent } from "../../../src/workers/engine/component.ts";

export const countPromises = defineComponent({
  scheme: "count-promises",
  docs: "Sets the body to the number of promises in the thread of its flow.",
  options: (z) => z.object({}),
  example: "to: count-promises",
  stateful: true,
  producer: () => (exchange) => {
    // It collects the garbage first.
    exchange.message.body = queryObjects(Promise, { format: "count" });
  },
});
