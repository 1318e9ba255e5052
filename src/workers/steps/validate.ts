/** The `validate` step (Camel: PredicateValidatingProcessor). */
import { FlowException } from "../engine/exception.ts";
import { defineStep } from "../engine/step.ts";

export const validate = defineStep({
  name: "validate",
  docs: "Fails with a PredicateValidationException when the predicate is false; its message has the predicate as it is written.",
  options: (z, { predicate, refused }) =>
    z.object({
      expression: predicate("What must hold for the message."),
      predicateExceptionFactory: refused(
        "there are no factory beans: use choice and throwException for an exception of your own",
      ),
    }),
  example: 'validate: { expression: { simple: { expression: "${body} > 0" } } }',
  compile({ expression }, context) {
    const matches = context.predicate(expression);
    return (exchange) => {
      if (matches(exchange)) return;
      throw new FlowException(
        "org.apache.camel.support.processor.PredicateValidationException",
        `Validation failed for Predicate[${expression.text}]. Exchange[${exchange.id}]`,
      );
    };
  },
});
