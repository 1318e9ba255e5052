/** The `removeHeaders` step (Camel: RemoveHeadersProcessor). */
import { namePattern } from "../engine/name-pattern.ts";
import { defineStep } from "../engine/step.ts";

export const removeHeaders = defineStep({
  name: "removeHeaders",
  docs: "Removes the headers whose names match a pattern: a name, `prefix*`, or a regular expression; case does not matter.",
  short: "pattern",
  options: (z, { text }) =>
    z.object({
      pattern: text(
        "Which headers go: a name, `Camel*`, or a regular expression over the whole name; case does not matter.",
      ),
      excludePattern: text("What stays although `pattern` names it, written in the same way.").optional(),
    }),
  example: 'removeHeaders: { pattern: "Camel*", excludePattern: CamelHttpResponseCode }',
  compile({ pattern, excludePattern }) {
    const removes = namePattern(pattern);
    const keeps = excludePattern === undefined ? () => false : namePattern(excludePattern);
    return (exchange) => {
      const { headers } = exchange.message;
      for (const [name] of [...headers.entries()]) if (removes(name) && !keeps(name)) headers.delete(name);
    };
  },
});
