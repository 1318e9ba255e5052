/** `onCompletion` (Camel: OnCompletionDefinition). */
import { defineElement } from "../engine/element.ts";

export const onCompletion = defineElement({
  name: "onCompletion",
  docs: "Steps that run when an exchange is over, on a copy of it and as a run of their own; with mode BeforeConsumer on the exchange itself, before its caller has the reply. Beside routes it is for all of the document; among a route's own steps it is for this route, in place of the document's.",
  options: (z, { flag, oneOf, predicate, steps, idle, refused }) =>
    z.object({
      mode: oneOf(
        ["AfterConsumer", "BeforeConsumer"],
        "`AfterConsumer` runs the steps on a copy when all is over; `BeforeConsumer` on the message itself, so that they can change the reply.",
      ).default("AfterConsumer"),
      onCompleteOnly: flag("Runs only when the message has ended well.").default(false),
      onFailureOnly: flag("Runs only when the message has failed.").default(false),
      onWhen: predicate("Runs only for messages for which this holds.").optional(),
      useOriginalMessage: flag("Gives the steps the message as it came into the route.").default(false),
      parallelProcessing: idle(flag, "with mode AfterConsumer the steps are always a run of their own"),
      executorService: refused("there are no thread pools here: leave it out"),
      steps: steps("What runs at the end.").default([]),
    }),
  example: `- onCompletion:
    onCompleteOnly: true
    steps: [{ log: { message: "done with \${body}" } }]
- route:
    from:
      uri: direct:start
      steps: [{ setBody: { expression: { constant: { expression: "x" } } } }]`,
});
