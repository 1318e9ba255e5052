/** The `idempotentConsumer` step (Camel: IdempotentConsumer). */

import { finishing, resumed } from "../engine/branch.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { idempotentRepository } from "../engine/idempotent-repository.ts";
import { textIn } from "../engine/message-text.ts";
import { defineStep } from "../engine/step.ts";

export const idempotentConsumer = defineStep({
  name: "idempotentConsumer",
  docs: "Runs its steps once for each key; what comes again passes by, and a failed message may come again.",
  options: (z, { expression, text, flag, steps }) =>
    z.object({
      expression: expression(
        "Gives the key by which a message is known again, such as `header: orderId`. A message without one fails.",
      ),
      idempotentRepository: text(
        "The name of a bean, or `#class:` with a class. Left out, or one of Camel's classes that outlast the process: keys are in the state store, under the bean's name or the step's `id`. `MemoryIdempotentRepository` keeps them in the thread's memory.",
      ).optional(),
      eager: flag(
        "Remembers the key before the steps run, so that a twin that comes meanwhile is known; with `false` afterwards.",
      ).default(true),
      completionEager: flag(
        "The key counts as done after these steps; without this when the whole route has ended well.",
      ).default(false),
      skipDuplicate: flag(
        "A message that was there before does not run the steps. With `false` it does, and the property CamelDuplicateMessage is true.",
      ).default(true),
      removeOnFailure: flag("Forgets the key when the message fails, so that it may come again.").default(true),
      steps: steps("What is done once for each key.").default([]),
    }),
  example: `idempotentConsumer:
  id: orders
  expression:
    simple:
      expression: "\${header.orderId}"
  steps:
    - log:
        message: "a new order"`,
  stateful: true,
  compile(options, context) {
    const { eager, completionEager, skipDuplicate, removeOnFailure } = options;
    const keyOf = context.expression(options.expression);
    const inner = context.pipeline(options.steps);
    const repository = idempotentRepository(options.idempotentRepository, context.stepId, context);
    /** Camel: IdempotentOnCompletion. A failure that an error handler has handled also counts as a failure. */
    const end = (key: string, exchange: Exchange, failed: boolean): void | Promise<void> => {
      const { run } = exchange;
      if (!failed && !exchange.handled) return repository.confirm(key, run);
      if (removeOnFailure) return repository.remove(key, run);
      // What was taken ahead of the steps stays known, as if they had succeeded.
      return eager ? repository.confirm(key, run) : undefined;
    };
    const process = (exchange: Exchange, key: string): void | Promise<void> => {
      if (completionEager)
        return finishing(
          () => inner(exchange),
          (failed) => end(key, exchange, failed),
        );
      exchange.onDone((failed) => end(key, exchange, failed));
      return inner(exchange);
    };
    const decide = (exchange: Exchange, key: string, isNew: boolean): void | Promise<void> => {
      if (!isNew) {
        exchange.properties.set("CamelDuplicateMessage", true);
        context.count("idempotentHits");
        if (skipDuplicate) return;
      }
      return process(exchange, key);
    };
    return (exchange) => {
      const value = keyOf(exchange);
      if (value === null || value === undefined) {
        const message = "No message ID could be found: the expression of the idempotentConsumer gave null";
        throw new FlowException("org.apache.camel.processor.idempotent.NoMessageIdException", message);
      }
      const key = textIn(exchange, value);
      const known = eager ? repository.add(key, exchange.run) : repository.contains(key, exchange.run);
      if (typeof known === "boolean") return decide(exchange, key, known === eager);
      return resumed(exchange.run, known, (answer) => decide(exchange, key, answer === eager));
    };
  },
});
