/** A component that counts the promises that are left in the thread of its flow. */
import { defineComponent } from "../../../src/workers/engine/component.ts";

// Before the thread gives up the right to it.
const { queryObjects } = process.getBuiltinModule("node:v8");

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
