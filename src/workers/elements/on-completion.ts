/** `onCompletion` (Camel: OnCompletionDefinition). */
import { defineElement } from "../engine/element.ts";

export const onCompletion = defineElement({
  name: "onCompletion",
  docs: "Steps that run when an exchange is over, on a copy of it and as a run of their own; with mode BeforeConsumer on the exchange itself, before its caller has the reply.",
  options: (z, { flag, oneOf, predicate, steps, idle, refused }) =>
    z.object({
      mode: oneOf(["AfterConsumer", "BeforeConsumer"]).default("AfterConsumer"),
      onCompleteOnly: flag().default(false),
      onFailureOnly: flag().default(false),
      onWhen: predicate().optional(),
      useOriginalMessage: flag().default(false),
      parallelProcessing: idle(flag, "with mode AfterConsumer the steps are always a run of their own"),
      executorService: refused("there are no thread pools here: leave it out"),
      steps: steps().default([]),
    }),
  example: `- onCompletion:
    onCompleteOnly: true
    steps: [{ log: "done with \${body}" }]
- route:
    from:
      uri: direct:start
      steps: [{ setBody: { constant: "x" } }]`,
});
