/** The `stop` step (Camel: StopProcessor). */
import { defineStep } from "../engine/step.ts";

export const stop = defineStep({
  name: "stop",
  docs: "Ends the exchange here, in calling routes too; the message as it is now is the reply. Not an error.",
  options: (z) => z.object({}),
  example: "stop: {}",
  compile() {
    return (exchange) => {
      exchange.stopped = true;
    };
  },
});
