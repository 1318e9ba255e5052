/** `intercept`, `interceptFrom`, `interceptSendToEndpoint` (Camel: intercept.adoc). */
import { defineElement } from "../engine/element.ts";

export const intercept = defineElement({
  name: "intercept",
  docs: "Steps that run before each step of the document's routes; a `stop` among them ends the routing.",
  options: (z, { predicate, steps }) =>
    z.object({
      onWhen: predicate("Only messages for which this holds.").optional(),
      steps: steps("What runs before each step.").default([]),
    }),
  example: `- intercept:
    steps: [{ log: { message: "next: \${body}" } }]
- route:
    from:
      uri: direct:start
      steps: [{ setBody: { expression: { constant: { expression: "x" } } } }]`,
});

export const interceptFrom = defineElement({
  name: "interceptFrom",
  docs: "Steps that run before the first step of each route, or of those whose `from` matches the URI.",
  short: "uri",
  options: (z, { text, predicate, steps }) =>
    z.object({
      uri: text(
        "Which routes: the address of their `from`, `direct*` or a regular expression; without it all.",
      ).optional(),
      onWhen: predicate("Only messages for which this holds.").optional(),
      steps: steps("What runs before the route's first step.").default([]),
    }),
  example: `- interceptFrom:
    uri: direct*
    steps: [{ log: { message: "in: \${body}" } }]
- route:
    from:
      uri: direct:start
      steps: [{ setBody: { expression: { constant: { expression: "x" } } } }]`,
});

export const interceptSendToEndpoint = defineElement({
  name: "interceptSendToEndpoint",
  docs: "Steps that run before a message is sent to a matching endpoint, or in its place.",
  short: "uri",
  options: (z, { text, predicate, flag, uri, steps }) =>
    z.object({
      uri: text("Which addresses: one, `http*` or a regular expression, with or without its query."),
      onWhen: predicate("Only messages for which this holds.").optional(),
      skipSendToOriginalEndpoint: flag("Runs the steps in place of the sending; without this before it.").default(
        false,
      ),
      afterUri: uri("An address that gets the message after it was sent.").optional(),
      steps: steps("What runs before the sending, or in its place.").default([]),
    }),
  example: `- interceptSendToEndpoint:
    uri: mock:*
    skipSendToOriginalEndpoint: true
    steps: [{ log: { message: "not sent: \${body}" } }]
- route:
    from:
      uri: direct:start
      steps: [{ to: { uri: "mock:out" } }]`,
});
