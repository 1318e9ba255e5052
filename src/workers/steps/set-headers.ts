/** The `setHeaders` step (Camel: SetHeadersProcessor). */
import { defineStep } from "../engine/step.ts";

export const setHeaders = defineStep({
  name: "setHeaders",
  docs: "Sets several headers in order; later expressions see earlier headers.",
  options: (z, { clause, template, expression }) =>
    z.object({
      headers: z
        .array(
          clause(
            {
              name: template("The header's name; a simple template."),
              expression: expression("Gives the header's value, and sees the headers above it."),
            },
            "The headers, set in their order.",
          ),
        )
        .min(1),
    }),
  example: `setHeaders:
  headers:
    - { name: first, expression: { constant: { expression: "1" } } }
    - { name: second, expression: { simple: { expression: "\${header.first}2" } } }`,
  compile({ headers }, context) {
    const entries = headers.map(({ name, expression }) => ({
      nameOf: context.text(name),
      value: context.expression(expression),
    }));
    return (exchange) => {
      for (const { nameOf, value } of entries) {
        const result = value(exchange) ?? null;
        exchange.message.headers.set(nameOf(exchange), result);
      }
    };
  },
});
