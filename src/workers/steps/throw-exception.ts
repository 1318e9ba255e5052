/** The `throwException` step (Camel: ThrowExceptionProcessor). */
import { FlowException } from "../engine/exception.ts";
import { defineStep } from "../engine/step.ts";

const className = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

export const throwException = defineStep({
  name: "throwException",
  docs: "Fails with an exception of the given type; its message is a simple template.",
  options: (z, { text, template, refused }) =>
    z.object({
      exceptionType: text("The exception's class with its package, such as java.lang.IllegalArgumentException.").refine(
        (type) => className.test(type),
        "exceptionType is a Java class name, such as java.lang.IllegalArgumentException",
      ),
      message: template("What the failure says; a simple template.").optional(),
      ref: refused("there are no exception beans: use exceptionType and message"),
    }),
  example: 'throwException: { exceptionType: java.lang.IllegalArgumentException, message: "bad order ${body}" }',
  compile({ exceptionType, message }, context) {
    const render = message === undefined ? () => "" : context.text(message);
    return (exchange) => {
      throw new FlowException(exceptionType, render(exchange));
    };
  },
});
