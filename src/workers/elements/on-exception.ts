/** `onException` (Camel: OnExceptionDefinition). */
import { defineElement } from "../engine/element.ts";
import { redeliveryOptions } from "./redelivery-policy.ts";

const noProcessors = "there are no processor beans: write steps in the clause";

export const onException = defineElement({
  name: "onException",
  docs: "What the routes of the document do about exceptions of these classes: redelivery of the failed step, then the steps.",
  options: (z, slots) => {
    const { text, predicate, flag, steps, refused } = slots;
    return z.object({
      exception: z.union([z.array(text()).min(1), text()]),
      onWhen: predicate().optional(),
      handled: predicate().optional(),
      continued: predicate().optional(),
      retryWhile: predicate().optional(),
      redeliveryPolicy: redeliveryOptions(slots).optional(),
      useOriginalMessage: flag().default(false),
      useOriginalBody: flag().default(false),
      redeliveryPolicyRef: refused("write the redeliveryPolicy in the clause"),
      onRedeliveryRef: refused(noProcessors),
      onExceptionOccurredRef: refused(noProcessors),
      steps: steps().default([]),
    });
  },
  example: `- onException:
    exception: [java.io.IOException]
    handled: { constant: "true" }
    redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: 10 }
    steps: [{ setBody: { simple: "sorry: \${exception.message}" } }]
- route:
    from:
      uri: direct:start
      steps:
        - throwException: { exceptionType: java.io.IOException, message: "no connection" }`,
});
