/** A component that ends the thread of its flow at once, with all that is under way in it. */
import { defineComponent } from "../../../src/workers/engine/component.ts";

export const loseThread = defineComponent({
  scheme: "lose-thread",
  docs: "Ends the thread of its flow.",
  options: (z) => z.object({}),
  example: "to: lose-thread",
  producer: () => () => process.exit(),
});
