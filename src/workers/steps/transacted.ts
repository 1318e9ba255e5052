/** The `transacted` step (Camel: TransactionErrorHandler), for one database. */
import { finishing } from "../engine/branch.ts";
import type { Exchange } from "../engine/exchange.ts";
import { RunTransaction } from "../engine/run-transaction.ts";
import { defineStep } from "../engine/step.ts";

export const transacted = defineStep({
  name: "transacted",
  docs: "Makes one transaction of what its steps do in a database: it is committed when they have ended well, and rolled back when they have failed. A run that is in a transaction already stays in that one.",
  options: (z, { text, steps, idle }) =>
    z.object({
      ref: idle(
        (words) =>
          text(words).refine(
            (name) => !/REQUIRES_NEW|NESTED|NOT_SUPPORTED|NEVER|MANDATORY/i.test(name),
            "ref: a run has one transaction, which steps inside join: leave it out",
          ),
        "a run has one transaction, which steps inside join, as with PROPAGATION_REQUIRED",
      ),
      steps: steps("What is done in the transaction. Without any it is the rest of the route.").default([]),
    }),
  example: `transacted:
  steps:
    - log:
        message: "stored together"`,
  compile({ steps }, context) {
    const inner = context.pipeline(steps);
    const whole = steps.length > 0;
    return (exchange) => {
      const { run } = exchange;
      const around = run.transaction;
      if (around?.isOpen === true) return inner(exchange);
      const transaction = new RunTransaction({ around });
      run.transaction = transaction;
      const end = (failed: boolean): Promise<void> => {
        run.transaction = around;
        return transaction.end(!failed && !isRolledBack(exchange));
      };
      if (whole) return finishing(() => inner(exchange), end);
      exchange.onDone(end);
    };
  },
});

function isRolledBack({ rollback, exception }: Exchange): boolean {
  return rollback || exception !== undefined;
}
