/** The `rollback` step (Camel: RollbackProcessor). */
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";

export const rollback = defineStep({
  name: "rollback",
  docs: "Fails with a RollbackExchangeException, which a doCatch sees and does not take back; marked only, it ends the routing without an exception. A transaction that it is in is rolled back.",
  short: "message",
  options: (z, { text, flag }) =>
    z.object({
      message: text("What the failure says, as it is: not a template.").default("Intended rollback"),
      markRollbackOnly: flag(
        "Ends the routing without a failure, in calling routes too; the message is the reply.",
      ).default(false),
      markRollbackOnlyLast: flag(
        "Does the same as `markRollbackOnly`: there is one exchange and one transaction.",
      ).default(false),
    }),
  example: "rollback: { markRollbackOnly: true }",
  compile({ message, markRollbackOnly, markRollbackOnlyLast }) {
    if (markRollbackOnly || markRollbackOnlyLast) return mark;
    return (exchange) => {
      // Prevents that the step is tried again.
      exchange.rollback = true;
      const type = "org.apache.camel.RollbackExchangeException";
      throw new FlowException(type, `${message}. Exchange[${exchange.id}]`);
    };
  },
});

function mark(exchange: Exchange): void {
  exchange.rollback = true;
  exchange.stopped = true;
}
