/** A component that never returns, so that the runtime has to end its thread. */
import { defineComponent } from "../../../src/workers/engine/component.ts";

export const spin = defineComponent({
  scheme: "spin",
  docs: "Never ends.",
  options: (z) => z.object({}),
  example: "to: spin",
  producer: () => () => {
    for (;;);
  },
});
