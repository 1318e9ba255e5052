/** The `idempotentConsumer` step (Camel: IdempotentConsumer). */
import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { repositoryOf } from "../engine/idempotent-repository.ts";
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
        "Where keys are remembered: the name of a bean of type org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository, or `#class:` with this type.",
      ),
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
  simple: "\${header.orderId}"
  idempotentRepository: "#class:org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository"
  steps:
    - log: "a new order"`,
  stateful: true,
  compile(options, context) {
    const { eager, completionEager, skipDuplicate, removeOnFailure } = options;
    const keyOf = context.expression(options.expression);
    const inner = context.pipeline(options.steps);
    const bean = context.bean(options.idempotentRepository);
    if (bean === undefined) {
      throw new Error(
        `the flow has no bean '${options.idempotentRepository}': declare it under 'beans' with the type org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository`,
      );
    }
    const repository = repositoryOf(bean);
    return (exchange) => {
      const value = keyOf(exchange);
      if (value === null || value === undefined) {
        const message = "No message ID could be found: the expression of the idempotentConsumer gave null";
        throw new FlowException("org.apache.camel.processor.idempotent.NoMessageIdException", message);
      }
      const key = asText(value, exchange.run.limits.messageBodyBytes);
      if (eager ? !repository.add(key) : repository.has(key)) {
        exchange.properties.set("CamelDuplicateMessage", true);
        context.count("idempotentHits");
        if (skipDuplicate) return;
      }
      /** A failure that an error handler has handled also counts as a failure. */
      const end = (failed: boolean): void => {
        if (!failed && !exchange.handled) {
          if (!eager) repository.add(key);
        } else if (removeOnFailure) repository.delete(key);
      };
      if (!completionEager) {
        exchange.onDone(end);
        return inner(exchange);
      }
      let pending: void | Promise<void>;
      try {
        pending = inner(exchange);
      } catch (error) {
        end(true);
        throw error;
      }
      if (pending === undefined) return end(false);
      return pending.then(
        () => end(false),
        (error: unknown) => {
          end(true);
          throw error;
        },
      );
    };
  },
});
