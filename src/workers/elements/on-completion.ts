/** `onCompletion` (Camel: OnCompletionDefinition). */
import { defineElement } from "../engine/element.ts";

export const onCompletion = defineElement({
  name: "onCompletion",
  docs: "Steps that run when an exchange is over, on a copy of it and as a run of their own; with mode BeforeConsumer on the exchange itself, before its caller has the reply.",
  options: (z, { flag, oneOf, predicate, steps, refused }) =>
    z.object({
      mode: oneOf(["AfterConsumer", "BeforeConsumer"]).default("AfterConsumer"),
      onCompleteOnly: flag.default(false),
      onFailureOnly: flag.default(false),
      onWhen: predicate.optional(),
      useOriginalMessage: flag.default(false),
      parallelProcessing: flag.describe("AfterConsumer is always a run of its own.").optional(),
      executorService: refused("there are no thread pools here: leave it out"),
      steps: steps.default([]),
    }),
  example: `- onCompletion:
    onCompleteOnly: true
    steps: [{ log: "done with \${body}" }]
- route:
    from:
      uri: direct:start
      steps: [{ setBody: { constant: "x" } }]`,
});
