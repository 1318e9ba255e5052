/** `onException` (Camel: OnExceptionDefinition). */
import { defineElement } from "../engine/element.ts";
import { hookOptions, redeliveryOptions } from "./redelivery-policy.ts";

export const onException = defineElement({
  name: "onException",
  docs: "What the routes of the document do about exceptions of these classes: redelivery of the failed step, then the steps.",
  options: (z, slots) => {
    const { text, predicate, flag, steps, refused } = slots;
    const { onRedeliveryRef, onExceptionOccurredRef } = hookOptions(slots);
    return z.object({
      exception: z.union([
        z
          .array(
            text(
              "Exception classes with their packages, one or a list, such as java.io.IOException. A class takes its subclasses, too; the closest clause is taken.",
            ),
          )
          .min(1),
        text(
          "Exception classes with their packages, one or a list, such as java.io.IOException. A class takes its subclasses, too; the closest clause is taken.",
        ),
      ]),
      onWhen: predicate("Takes only failures for which this holds.").optional(),
      handled: predicate(
        "When true, the message ends well with what the steps left, and the caller sees no failure; the route goes no further.",
      ).optional(),
      continued: predicate("When true, the route goes on behind the failed step, as if it had not failed.").optional(),
      retryWhile: predicate(
        "Tries the step again as long as this holds, whatever `maximumRedeliveries` says.",
      ).optional(),
      redeliveryPolicy: redeliveryOptions(slots).optional(),
      useOriginalMessage: flag("Gives the steps the message as it came into the route.").default(false),
      useOriginalBody: flag("Gives the steps the body as it came into the route, and the headers as they are.").default(
        false,
      ),
      redeliveryPolicyRef: refused("write the redeliveryPolicy in the clause"),
      onRedeliveryRef,
      onExceptionOccurredRef,
      steps: steps("What is done when the step is not tried again.").default([]),
    });
  },
  example: `- onException:
    exception: [java.io.IOException]
    handled: { constant: { expression: "true" } }
    redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 10 }
    steps: [{ setBody: { expression: { simple: { expression: "sorry: \${exception.message}" } } } }]
- route:
    from:
      uri: direct:start
      steps:
        - throwException: { exceptionType: java.io.IOException, message: "no connection" }`,
});
